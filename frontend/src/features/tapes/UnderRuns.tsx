import { Anchor } from "@mantine/core";
import { Link } from "react-router";

/** Says where a job is found again when the dialog that began it is closed. */
export function UnderRuns({ jobId }: { jobId: string }) {
  return (
    <>
      It has{" "}
      <Anchor component={Link} to={`/runs/${jobId}`}>
        a page under Runs
      </Anchor>
      .
    </>
  );
}
