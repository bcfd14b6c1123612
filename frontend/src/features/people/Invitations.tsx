/** The invitations that have not been used yet. */
import { useQuery } from "@tanstack/react-query";

import { describeError } from "@/api/client";
import { invitationsQuery, useRevokeInvitation } from "@/api/people";
import type { Invitation } from "@/api/types";
import classes from "@/features/people/people.module.css";
import { roleName } from "@/features/people/roles";
import { visibleText } from "@/lib/visibleText";
import { ConfirmButton } from "@/ui/ConfirmButton";
import { PlainTable } from "@/ui/PlainTable";
import { RelativeTime } from "@/ui/Quantities";

export function Invitations() {
  const { data: invitations = [] } = useQuery(invitationsQuery());
  const revoke = useRevokeInvitation();
  if (invitations.length === 0) return null;
  return (
    <section className="ts-section" aria-labelledby="invitations">
      <h2 className={classes.heading} id="invitations">
        Open invitations
      </h2>
      <PlainTable aria-label="Open invitations">
        <thead>
          <tr>
            <th scope="col">Role</th>
            <th scope="col">Invited by</th>
            <th scope="col" data-align="end" data-hide>
              Created
            </th>
            <th scope="col" data-align="end">
              Expires
            </th>
            <th scope="col">
              <span className="ts-visually-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {invitations.map((invitation) => (
            <Line
              key={invitation.id}
              invitation={invitation}
              onRevoke={() => revoke.mutate(invitation.id)}
            />
          ))}
        </tbody>
      </PlainTable>
      {revoke.isError && (
        <p role="alert" className={`ts-bad ${classes.note}`}>
          {describeError(revoke.error)}
        </p>
      )}
    </section>
  );
}

function Line({ invitation, onRevoke }: { invitation: Invitation; onRevoke: () => void }) {
  const role = roleName(invitation.role);
  return (
    <tr>
      <td>{role}</td>
      <td>{visibleText(invitation.invited_by)}</td>
      <td data-align="end" data-hide>
        <RelativeTime value={invitation.created_at} />
      </td>
      <td data-align="end">
        <time dateTime={invitation.expires_at}>
          {new Date(invitation.expires_at).toLocaleDateString()}
        </time>
      </td>
      <td data-align="end">
        <ConfirmButton
          size="compact-xs"
          question="Revoke this invitation? Its link stops working."
          confirm="Revoke"
          onConfirm={onRevoke}
          aria-label={`Revoke the invitation of a ${role.toLowerCase()}`}
        >
          Revoke
        </ConfirmButton>
      </td>
    </tr>
  );
}
