/** A job that a page started: progress and a cancel button while it runs, then the result. */
import { Button, Group, Progress, Stack } from "@mantine/core";
import type { ReactNode } from "react";

import { formatExact } from "@/lib/format";
import { timeLeft } from "@/lib/timeLeft";
import { unheardWords } from "@/lib/unheardQueues";
import { visibleText } from "@/lib/visibleText";
import type { JobState } from "@/ui/JobStateBadge";
import { useNow } from "@/ui/Quantities";
import { ErrorState, RowsSkeleton } from "@/ui/States";

interface JobLook {
  state: JobState;
  message: string;
  progress_done: number;
  progress_total: number | null;
  is_cancel_requested: boolean;
  started_at: string | null;
}

/** A job that is polled; `useFollowedJob` returns it. */
export interface Followed<Job extends JobLook> {
  /** `undefined` until it has loaded. */
  job: Job | undefined;
  /** Why it could not be loaded; `null` otherwise. */
  problem: string | null;
  retry: () => void;
  cancel: () => void;
  isCancelling: boolean;
  /** The queue in which it waits although no worker listens to it; empty otherwise. */
  unheardQueue: string;
}

interface FollowedJobProps<Job extends JobLook> {
  followed: Followed<Job>;
  /** Its name in a sentence: "export". */
  what: string;
  /** A note to show while it runs. */
  note: ReactNode;
  /** What remains after a cancellation. */
  cancelled: string;
  /** The result; `null` while there is none, and after a failure. */
  result: (job: Job) => ReactNode;
  /** Shown once it has ended, whatever its state. */
  after?: ReactNode;
}

const FINAL: readonly JobState[] = ["succeeded", "failed", "cancelled"];

export function FollowedJob<Job extends JobLook>(props: FollowedJobProps<Job>) {
  const { followed, what, note, cancelled, result, after } = props;
  const { job, problem, retry } = followed;
  if (job === undefined) {
    if (problem === null) return <RowsSkeleton label={`Loading the ${what}`} rows={2} />;
    return (
      <ErrorState title={`The ${what} could not be loaded`} message={problem} onRetry={retry} />
    );
  }
  const isFinished = FINAL.includes(job.state);
  const made = result(job);
  return (
    <Stack gap={12} aria-live="polite">
      {!isFinished && <GoingOn followed={followed} job={job} what={what} />}
      {!isFinished && <p className="ts-hint">{note}</p>}
      {made}
      {isFinished && made === null && (
        <p role="alert">{job.state === "cancelled" ? cancelled : visibleText(job.message)}</p>
      )}
      {isFinished && after}
    </Stack>
  );
}

function waitingWords(unheardQueue: string): string {
  return unheardQueue === "" ? "Waiting in the queue" : unheardWords([unheardQueue]);
}

interface GoingOnProps {
  followed: Omit<Followed<JobLook>, "job">;
  job: JobLook;
  what: string;
}

function GoingOn({ followed, job, what }: GoingOnProps) {
  const now = useNow(1000);
  const { progress_done: done, progress_total: total } = job;
  const words =
    job.state === "queued" ? waitingWords(followed.unheardQueue) : visibleText(job.message);
  return (
    <>
      <Progress
        size={4}
        animated={total === null}
        value={total === null || total === 0 ? 100 : (100 * done) / total}
        aria-label={what.charAt(0).toUpperCase() + what.slice(1)}
      />
      <Group justify="space-between" wrap="nowrap">
        <span className="ts-number ts-dimmed">
          {words !== "" && `${words} · `}
          {total === null ? formatExact(done) : `${formatExact(done)} of ${formatExact(total)}`}
          {timeLeft({ startedAt: job.started_at, done, total }, now)}
        </span>
        <Button
          variant="default"
          loading={followed.isCancelling}
          disabled={job.is_cancel_requested}
          onClick={followed.cancel}
        >
          {job.is_cancel_requested ? "Stopping" : "Cancel"}
        </Button>
      </Group>
    </>
  );
}
