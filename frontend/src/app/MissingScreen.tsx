import { Button } from "@mantine/core";
import { Link } from "react-router";

import { PageHeader } from "@/ui/PageHeader";
import { EmptyState } from "@/ui/States";

export function MissingScreen() {
  return (
    <>
      <PageHeader title="Not found" />
      <EmptyState
        title="This page does not exist"
        action={
          <Button component={Link} to="/tapes">
            Go to tapes
          </Button>
        }
      >
        The link may be outdated, or its target was deleted.
      </EmptyState>
    </>
  );
}
