/** One job, kept up to date by its event log while it runs. */
import { useQuery, useQueryClient, type UseQueryResult } from "@tanstack/react-query";
import { useEffect } from "react";

import { applyToJob } from "@/api/jobFrames";
import { isFinished, jobKeys, jobQuery } from "@/api/jobs";
import { openJobSocket } from "@/api/jobSocket";
import type { Job } from "@/api/types";

export function useLiveJob(jobId: string): UseQueryResult<Job> {
  const queryClient = useQueryClient();
  const query = useQuery(jobQuery(jobId));
  const isLive = query.data !== undefined && !isFinished(query.data.state);
  useEffect(() => {
    if (!isLive) return undefined;
    const key = jobQuery(jobId).queryKey;
    const socket = openJobSocket({
      jobId,
      after: queryClient.getQueryData(key)?.last_seq ?? 0,
      onMessage: (message) => {
        queryClient.setQueryData(key, (job) => job && applyToJob(job, message));
        // A long result is not in the log: it is read with the job itself.
        if (message.type === "job.state") {
          void queryClient.invalidateQueries({ queryKey: jobKeys.all });
        }
      },
    });
    return () => socket.close();
  }, [jobId, isLive, queryClient]);
  return query;
}
