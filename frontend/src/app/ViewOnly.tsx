import { Button } from "@mantine/core";
import { IconEye } from "@tabler/icons-react";
import { matchPath, Link } from "react-router";

import { PageHeader } from "@/ui/PageHeader";
import { EmptyState } from "@/ui/States";

/** Pages that are only for writing. */
const WRITING = ["/upload", "/queues/add", "/queues/rubrics/new", "/queues/:queueId/annotate"];

export function isForWriters(path: string): boolean {
  return WRITING.some((pattern) => matchPath(pattern, path) !== null);
}

/** Shown instead of such a page to people who can only view the project. */
export function ViewOnly() {
  return (
    <>
      <PageHeader title="View only" />
      <EmptyState
        title="You can only view this project"
        icon={<IconEye size={24} stroke={1.5} />}
        action={
          <Button component={Link} to="/tapes">
            Go to tapes
          </Button>
        }
      >
        Ask an owner for edit access.
      </EmptyState>
    </>
  );
}
