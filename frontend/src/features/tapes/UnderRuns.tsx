import { Anchor } from "@mantine/core";
import { Link } from "react-router";

/** A note on where to find a job after the dialog that started it is closed. */
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
