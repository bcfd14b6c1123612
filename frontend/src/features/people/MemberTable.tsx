/** The people of a project, one per line; owners change roles and remove people there. */
import { Select } from "@mantine/core";

import { describeError } from "@/api/client";
import { useChangeRole, useRemoveMember } from "@/api/people";
import type { Member } from "@/api/types";
import classes from "@/features/people/people.module.css";
import { parseRole, roleName, ROLES } from "@/features/people/roles";
import { visibleText } from "@/lib/visibleText";
import { ConfirmButton } from "@/ui/ConfirmButton";
import { PlainTable } from "@/ui/PlainTable";
import { RelativeTime } from "@/ui/Quantities";

interface MemberTableProps {
  members: readonly Member[];
  isOwner: boolean;
}

export function MemberTable({ members, isOwner }: MemberTableProps) {
  const change = useChangeRole();
  const remove = useRemoveMember();
  const error = change.error ?? remove.error;
  return (
    <section className="ts-section" aria-label="People of this project">
      <PlainTable aria-label="People">
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Role</th>
            <th scope="col" data-align="end">
              Last seen
            </th>
            <th scope="col" data-align="end" data-hide>
              Access tokens
            </th>
            {isOwner && (
              <th scope="col">
                <span className="ts-visually-hidden">Actions</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {members.map((member) => (
            <tr key={member.user_id}>
              <th scope="row">
                {visibleText(member.name)}
                {member.is_you && <span className="ts-dimmed"> (you)</span>}
              </th>
              <td>
                {isOwner ? (
                  <Select
                    aria-label={`Role of ${visibleText(member.name)}`}
                    className={classes.role}
                    size="xs"
                    allowDeselect={false}
                    data={ROLES.map(({ value, label }) => ({ value, label }))}
                    value={member.role}
                    onChange={(value) => {
                      const role = parseRole(value);
                      if (role !== undefined) change.mutate({ userId: member.user_id, role });
                    }}
                  />
                ) : (
                  roleName(member.role)
                )}
              </td>
              <td data-align="end">
                <LastSeen moment={member.last_seen_at} />
              </td>
              <td data-align="end" data-hide>
                {member.token_count}
              </td>
              {isOwner && (
                <td data-align="end">
                  {!member.is_you && (
                    <Remove member={member} onRemove={() => remove.mutate(member.user_id)} />
                  )}
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </PlainTable>
      {error !== null && (
        <p role="alert" className={`ts-bad ${classes.note}`}>
          {describeError(error)}
        </p>
      )}
    </section>
  );
}

function LastSeen({ moment }: { moment: string | null }) {
  if (moment === null) return <span className="ts-dimmed">Never</span>;
  return <RelativeTime value={moment} />;
}

function Remove({ member, onRemove }: { member: Member; onRemove: () => void }) {
  const name = visibleText(member.name);
  return (
    <ConfirmButton
      size="compact-xs"
      question={`Remove ${name}? They lose access at once, and their access tokens for this project stop working. What they created stays.`}
      confirm="Remove"
      onConfirm={onRemove}
      aria-label={`Remove ${name}`}
    >
      Remove
    </ConfirmButton>
  );
}
