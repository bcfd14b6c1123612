import { describeError } from "@/api/client";
import { useUnheardQueue } from "@/api/jobs";
import type { Job } from "@/api/types";
import { useCancelJob } from "@/api/useCancelJob";
import { useLiveJob } from "@/api/useLiveJob";
import type { Followed } from "@/ui/FollowedJob";

/** A job while it continues, and the actions on it, for `FollowedJob`. */
export function useFollowedJob(jobId: string): Followed<Job> {
  const job = useLiveJob(jobId);
  const cancel = useCancelJob(jobId);
  return {
    job: job.data,
    problem: job.data === undefined && job.isError ? describeError(job.error) : null,
    retry: () => void job.refetch(),
    cancel: () => cancel.mutate(),
    isCancelling: cancel.isPending,
    // The log of a job that no worker takes has nothing new, so this is polled.
    unheardQueue: useUnheardQueue(jobId, job.data?.state === "queued"),
  };
}
