/** Who is in this project: their roles, invitations, and leaving. */
import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { IconUserPlus } from "@tabler/icons-react";
import { useState } from "react";

import { describeError } from "@/api/client";
import { peopleQuery, useLeave } from "@/api/people";
import { sessionQuery } from "@/api/session";
import { Invitations } from "@/features/people/Invitations";
import { Invite } from "@/features/people/Invite";
import { MemberTable } from "@/features/people/MemberTable";
import classes from "@/features/people/people.module.css";
import { countOf } from "@/lib/format";
import { forgetProject } from "@/lib/project";
import { visibleText } from "@/lib/visibleText";
import { ConfirmButton } from "@/ui/ConfirmButton";
import { PageHeader } from "@/ui/PageHeader";
import { EmptyState, ErrorState, RowsSkeleton } from "@/ui/States";

export function PeoplePage() {
  const { data: session } = useQuery(sessionQuery());
  if (session === undefined) return <RowsSkeleton label="Loading people" rows={3} />;
  if (!session.has_accounts) return <OnePerson />;
  return <People project={session.project} isOwner={session.role === "owner"} />;
}

function OnePerson() {
  return (
    <>
      <PageHeader title="People" guide="accounts" />
      <EmptyState title="This studio is for one person">
        Start it with <code>STUDIO_ACCOUNTS=1</code> to invite others.
      </EmptyState>
    </>
  );
}

function People({ project, isOwner }: { project: string; isOwner: boolean }) {
  const people = useQuery(peopleQuery());
  const [isInviting, setIsInviting] = useState(false);
  return (
    <>
      <PageHeader
        title="People"
        guide="accounts#invite-people"
        note={people.data && countOf(people.data.length, "person", "people")}
      >
        <Leave project={project} />
        {isOwner && (
          <Button leftSection={<IconUserPlus size={14} />} onClick={() => setIsInviting(true)}>
            Invite
          </Button>
        )}
      </PageHeader>
      <div className="ts-page">
        {people.data !== undefined ? (
          <MemberTable members={people.data} isOwner={isOwner} />
        ) : people.isError ? (
          <ErrorState
            title="The people could not be loaded"
            message={describeError(people.error)}
            onRetry={() => void people.refetch()}
          />
        ) : (
          <RowsSkeleton label="Loading people" rows={3} />
        )}
        {isOwner && <Invitations />}
      </div>
      <Invite isOpen={isInviting} onClose={() => setIsInviting(false)} />
    </>
  );
}

/** After leaving, the app reloads, in another project or in none. */
function Leave({ project }: { project: string }) {
  const leave = useLeave();
  return (
    <>
      {leave.isError && (
        <p role="alert" className={`ts-bad ${classes.refusal}`}>
          {describeError(leave.error)}
        </p>
      )}
      <ConfirmButton
        question={`Leave ${visibleText(project)}? Your access tokens for it stop working, and only an owner can add you again.`}
        confirm="Leave"
        loading={leave.isPending}
        onConfirm={() =>
          leave.mutate(undefined, {
            onSuccess: () => {
              forgetProject();
              window.location.assign("/tapes");
            },
          })
        }
      >
        Leave project
      </ConfirmButton>
    </>
  );
}
