/** A transform as it goes on: progress and cancel, then the batch that it made, and undo. */
import { Button, Group, Progress, Stack } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link } from "react-router";

import { describeError } from "@/api/client";
import { isFinished } from "@/api/jobs";
import { tapeKeys } from "@/api/tapes";
import { readTransformResult, undoTransform, type TransformResult } from "@/api/transforms";
import type { Job } from "@/api/types";
import { useCancelJob } from "@/api/useCancelJob";
import { useLiveJob } from "@/api/useLiveJob";
import classes from "@/features/tapes/Tapes.module.css";
import { countOf, formatExact } from "@/lib/format";
import { visibleText } from "@/lib/visibleText";
import { ErrorState, RowsSkeleton } from "@/ui/States";

export function TransformJob({ jobId }: { jobId: string }) {
  const job = useLiveJob(jobId);
  if (job.data === undefined) {
    if (job.isPending) return <RowsSkeleton label="Loading the transform" rows={2} />;
    return (
      <ErrorState
        title="The transform could not be loaded"
        message={describeError(job.error)}
        onRetry={() => void job.refetch()}
      />
    );
  }
  const result = readTransformResult(job.data.result);
  return (
    <Stack gap={12} aria-live="polite">
      {!isFinished(job.data.state) && <Working job={job.data} />}
      {result !== null && <Made jobId={jobId} result={result} />}
      {isFinished(job.data.state) && result === null && (
        <p role="alert" className={classes.exportNote}>
          {job.data.state === "cancelled"
            ? "The transform was cancelled; no tape was made."
            : visibleText(job.data.message)}
        </p>
      )}
    </Stack>
  );
}

function Working({ job }: { job: Job }) {
  const cancel = useCancelJob(job.id);
  const { progress_done: done, progress_total: total } = job;
  return (
    <>
      <Progress
        size={4}
        animated={total === null}
        value={total === null || total === 0 ? 100 : (100 * done) / total}
        aria-label="Transform"
      />
      <Group justify="space-between">
        <span className="ts-number ts-dimmed">
          {total === null ? formatExact(done) : `${formatExact(done)} of ${formatExact(total)}`}
          {timeLeft(job)}
        </span>
        <Button
          variant="default"
          loading={cancel.isPending}
          disabled={job.is_cancel_requested}
          onClick={() => cancel.mutate()}
        >
          {job.is_cancel_requested ? "Stopping" : "Cancel"}
        </Button>
      </Group>
      <p className={classes.exportNote}>
        You may close this and leave the page: the transform goes on, and is under Runs. Cancelling
        it keeps nothing.
      </p>
    </>
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
          : `${countOf(result.tapes, "tape")} made in the batch “${visibleText(result.batch_name)}”; ${formatExact(result.unchanged)} had nothing to change.`}
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
