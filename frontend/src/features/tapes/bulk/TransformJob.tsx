/** A transform as it continues: progress and cancel, then the batch that it made, and undo. */
import { Button } from "@mantine/core";
import { Link } from "react-router";

import { readTransformResult, undoTransform, type TransformResult } from "@/api/transforms";
import type { Job } from "@/api/types";
import { UndoMade } from "@/features/tapes/bulk/UndoMade";
import { FollowedJob } from "@/features/tapes/FollowedJob";
import { countOf, formatExact } from "@/lib/format";
import { visibleText } from "@/lib/visibleText";

export function TransformJob({ jobId }: { jobId: string }) {
  return (
    <FollowedJob
      jobId={jobId}
      what="transform"
      note="You can leave this page; the transform continues. Canceling it discards everything."
      cancelled="The transform was canceled; no tapes were created."
      pace={timeLeft}
      result={(job) => {
        const result = readTransformResult(job.result);
        return result === null ? null : <Made jobId={jobId} result={result} />;
      }}
    />
  );
}

/** Guessed from the pace so far; empty until there is one. */
function timeLeft({ started_at: startedAt, progress_done: done, progress_total: total }: Job) {
  if (startedAt === null || total === null || done === 0 || done >= total) return "";
  const seconds = (Date.now() - Date.parse(startedAt)) / 1000;
  const left = Math.ceil((seconds / done) * (total - done));
  return left > 90
    ? `, about ${formatExact(Math.ceil(left / 60))} min left`
    : `, about ${left} s left`;
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
