/** A transform in progress: a bar and a cancel button, then the batch that it made, and undo. */
import { Button } from "@mantine/core";
import { Link } from "react-router";

import { readTransformResult, undoTransform, type TransformResult } from "@/api/transforms";
import { useFollowedJob } from "@/api/useFollowedJob";
import { UndoMade } from "@/features/tapes/bulk/UndoMade";
import { UnderRuns } from "@/features/tapes/UnderRuns";
import { countOf, formatExact } from "@/lib/format";
import { visibleText } from "@/lib/visibleText";
import { FollowedJob } from "@/ui/FollowedJob";

export function TransformJob({ jobId }: { jobId: string }) {
  return (
    <FollowedJob
      followed={useFollowedJob(jobId)}
      what="transform"
      note={
        <>
          You can leave this page; the transform continues. Canceling it discards everything.{" "}
          <UnderRuns jobId={jobId} />
        </>
      }
      cancelled="The transform was cancelled; no tapes were created."
      result={(job) => {
        const result = readTransformResult(job.result);
        return result === null ? null : <Made jobId={jobId} result={result} />;
      }}
    />
  );
}

function Made({ jobId, result }: { jobId: string; result: TransformResult }) {
  return (
    <>
      <p>
        {result.batch_id === null
          ? "No tapes changed, so none were created."
          : `${countOf(result.tapes, "tape")} created in the batch “${visibleText(result.batch_name)}”${
              result.unchanged > 0 ? `; ${formatExact(result.unchanged)} unchanged` : ""
            }.`}
      </p>
      {result.left_out.length > 0 && (
        <ul aria-label="Left out">
          {result.left_out.map(({ why, tape_count: count }) => (
            <li key={why}>
              {countOf(count, "tape")} omitted: {visibleText(why)}
            </li>
          ))}
        </ul>
      )}
      {result.batch_id !== null && (
        <UndoMade undo={() => undoTransform(jobId)}>
          <Button component={Link} to={`/tapes?batch=${result.batch_id}`}>
            Show the batch
          </Button>
        </UndoMade>
      )}
    </>
  );
}
