import { Button } from "@mantine/core";
import { IconDoorExit } from "@tabler/icons-react";

import { signOut } from "@/api/session";
import { forgetProject } from "@/lib/project";
import { PageHeader } from "@/ui/PageHeader";
import { EmptyState } from "@/ui/States";

/** Shown to a person who is not in this page's project, or was removed from it. */
export function LostProject() {
  const goElsewhere = () => {
    forgetProject();
    window.location.assign("/tapes");
  };
  return (
    <>
      <PageHeader title="Not in this project" />
      <EmptyState
        title="You are not in this project"
        icon={<IconDoorExit size={24} stroke={1.5} />}
        action={
          <div className="ts-row">
            <Button onClick={goElsewhere}>Go to another project</Button>
            <Button variant="default" onClick={() => void signOut()}>
              Sign out
            </Button>
          </div>
        }
      >
        The project of this address does not exist, or you are not in it: you have left it, an owner
        has removed you, or nobody has invited you. Ask an owner for an invitation.
      </EmptyState>
    </>
  );
}
