/** A transform as it goes on: progress and cancel, then the batch that it made, and undo. */
import { Button, Group } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link } from "react-router";

import { describeError } from "@/api/client";
import { tapeKeys } from "@/api/tapes";
import { readTransformResult, undoTransform, type TransformResult } from "@/api/transforms";
import type { Job } from "@/api/types";
import { FollowedJob } from "@/features/tapes/FollowedJob";
import classes from "@/features/tapes/Tapes.module.css";
import { countOf, formatExact } from "@/lib/format";
import { visibleText } from "@/lib/visibleText";

export function TransformJob({ jobId }: { jobId: string }) {
  return (
    <FollowedJob
      jobId={jobId}
      what="transform"
      note="You may leave: the transform goes on. Cancelling it keeps nothing."
      cancelled="The transform was cancelled; no tape was made."
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
  const queries = useQueryClient();
  const undo = useMutation({
    mutationFn: () => undoTransform(jobId),
    onSuccess: () => queries.invalidateQueries({ queryKey: tapeKeys.all }),
  });
  return (
    <>
      <p className={classes.exportNote}>
        {result.batch_id === null
          ? "No tape was changed, so none was made."
          : `${countOf(result.tapes, "tape")} made in the batch “${visibleText(result.batch_name)}”${
              result.unchanged > 0 ? `; ${formatExact(result.unchanged)} had nothing to change` : ""
            }.`}
      </p>
      {result.left_out.length > 0 && (
        <ul className={classes.exportNote} aria-label="Left out">
          {result.left_out.map(({ why, tape_count: count }) => (
            <li key={why}>
              {countOf(count, "tape")} left out: {visibleText(why)}
            </li>
          ))}
        </ul>
      )}
      {undo.isError && (
        <p role="alert" className={classes.exportNote}>
          {describeError(undo.error)}
        </p>
      )}
      {undo.isSuccess && (
        <p role="status" className={classes.exportNote}>
          {countOf(undo.data.tape_count, "tape")} taken back
          {undo.data.kept_count > 0 &&
            `; ${formatExact(undo.data.kept_count)} stay, because somebody branched them off or runs them`}
          .
        </p>
      )}
      {result.batch_id !== null && !undo.isSuccess && (
        <Group gap={8}>
          <Button component={Link} to={`/tapes?batch=${result.batch_id}`}>
            Show the batch
          </Button>
          <Button variant="default" loading={undo.isPending} onClick={() => undo.mutate()}>
            Undo
          </Button>
        </Group>
      )}
    </>
  );
}
