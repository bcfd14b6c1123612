/** A job that makes something for training: how far it is, cancel, how it ended. */
import { Button, Progress } from "@mantine/core";
import type { ReactNode } from "react";

import { describeError } from "@/api/client";
import { isFinished } from "@/api/jobs";
import type { Job } from "@/api/types";
import { useCancelJob } from "@/api/useCancelJob";
import { useLiveJob } from "@/api/useLiveJob";
import { timeLeft } from "@/features/training/timeLeft";
import { formatExact } from "@/lib/format";
import { visibleText } from "@/lib/visibleText";
import { useNow } from "@/ui/Quantities";
import { ErrorState, RowsSkeleton } from "@/ui/States";

interface JobProgressProps {
  jobId: string;
  /** The word for it in a sentence: "training set". */
  what: string;
  /** Drawn once it has succeeded. */
  result: (job: Job) => ReactNode;
}

export function JobProgress({ jobId, what, result }: JobProgressProps) {
  const job = useLiveJob(jobId);
  if (job.data === undefined) {
    if (job.isPending) return <RowsSkeleton label={`Loading the ${what}`} rows={1} />;
    return (
      <ErrorState
        title={`The ${what} could not be loaded`}
        message={describeError(job.error)}
        onRetry={() => void job.refetch()}
      />
    );
  }
  const { state, message } = job.data;
  return (
    <div className="ts-stack" aria-live="polite">
      {state === "succeeded" ? (
        result(job.data)
      ) : isFinished(state) ? (
        <p role="alert">
          {state === "cancelled" ? `The ${what} was cancelled.` : visibleText(message)}
        </p>
      ) : (
        <Going job={job.data} what={what} />
      )}
    </div>
  );
}

function Going({ job, what }: { job: Job; what: string }) {
  const cancel = useCancelJob(job.id);
  const now = useNow(1000);
  const { progress_done: done, progress_total: total } = job;
  return (
    <>
      <Progress
        size={4}
        animated={total === null}
        value={total === null || total === 0 ? 100 : (100 * done) / total}
        aria-label={`Progress of the ${what}`}
      />
      <div className="ts-row">
        <span className="ts-number">
          {job.state === "queued" ? "Waits in the queue" : visibleText(job.message)}
          {total !== null && ` · ${formatExact(done)} of ${formatExact(total)}`}
          {timeLeft({ startedAt: job.started_at, done, total }, now)}
        </span>
        <Button
          ml="auto"
          variant="default"
          loading={cancel.isPending}
          disabled={job.is_cancel_requested}
          onClick={() => cancel.mutate()}
        >
          {job.is_cancel_requested ? "Stopping" : "Cancel"}
        </Button>
      </div>
      <p className="ts-hint">You can leave this page; it goes on.</p>
    </>
  );
}
