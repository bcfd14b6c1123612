/** A job that a dialog began: progress and cancel while it continues, then the result. */
import { Button, Group, Progress, Stack } from "@mantine/core";
import type { ReactNode } from "react";

import { describeError } from "@/api/client";
import { isFinished } from "@/api/jobs";
import type { Job } from "@/api/types";
import { useCancelJob } from "@/api/useCancelJob";
import { useLiveJob } from "@/api/useLiveJob";
import { formatExact } from "@/lib/format";
import { visibleText } from "@/lib/visibleText";
import { ErrorState, RowsSkeleton } from "@/ui/States";
import { UnderRuns } from "@/features/tapes/UnderRuns";

interface FollowedJobProps {
  jobId: string;
  /** The word for it in a sentence: "export". */
  what: string;
  /** What to know while it continues. */
  note: string;
  /** What is left when it was cancelled. */
  cancelled: string;
  /** Stands after the count. */
  pace?: (job: Job) => string;
  /** The result; `null` while there is nothing, and when it failed. */
  result: (job: Job) => ReactNode;
  /** Offered once it has ended, however it did. */
  after?: ReactNode;
}

export function FollowedJob({ jobId, what, result, cancelled, after, ...going }: FollowedJobProps) {
  const job = useLiveJob(jobId);
  if (job.data === undefined) {
    if (job.isPending) return <RowsSkeleton label={`Loading the ${what}`} rows={2} />;
    return (
      <ErrorState
        title={`The ${what} could not be loaded`}
        message={describeError(job.error)}
        onRetry={() => void job.refetch()}
      />
    );
  }
  const { state, message } = job.data;
  const made = result(job.data);
  return (
    <Stack gap={12} aria-live="polite">
      {!isFinished(state) && <GoingOn job={job.data} what={what} {...going} />}
      {made}
      {isFinished(state) && made === null && (
        <p role="alert">{state === "cancelled" ? cancelled : visibleText(message)}</p>
      )}
      {isFinished(state) && after}
    </Stack>
  );
}

type GoingOnProps = Pick<FollowedJobProps, "what" | "note" | "pace"> & { job: Job };

function GoingOn({ job, what, note, pace }: GoingOnProps) {
  const cancel = useCancelJob(job.id);
  const { progress_done: done, progress_total: total } = job;
  return (
    <>
      <Progress
        size={4}
        animated={total === null}
        value={total === null || total === 0 ? 100 : (100 * done) / total}
        aria-label={what.charAt(0).toUpperCase() + what.slice(1)}
      />
      <Group justify="space-between">
        <span className="ts-number ts-dimmed">
          {total === null ? formatExact(done) : `${formatExact(done)} of ${formatExact(total)}`}
          {pace?.(job)}
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
      <p>
        {note} <UnderRuns jobId={job.id} />
      </p>
    </>
  );
}
