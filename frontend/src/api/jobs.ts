/** Jobs: long work on the server. Their events arrive over `jobSocket`. */
import { queryOptions, useQuery } from "@tanstack/react-query";

import { client, unwrap } from "@/api/client";
import { pagedQuery } from "@/api/pages";
import type { Breakpoint, Job, ReplyIn, SteerIn } from "@/api/types";

const PAGE_SIZE = 50;
const path = (jobId: string) => ({ params: { path: { job_id: jobId } } });

export const jobKeys = {
  all: ["jobs"],
  active: ["jobs", "active"],
  finished: ["jobs", "finished"],
  job: (id: string) => ["jobs", "one", id],
};

const FINISHED = new Set<Job["state"]>(["succeeded", "failed", "cancelled"]);

export function isFinished(state: Job["state"]): boolean {
  return FINISHED.has(state);
}

/** All jobs that are queued, running, waiting or paused; polled more often while there are any.
 * `folded`: of the runs of a Run N only one, which stands for all, and none of a rerun. */
export function activeJobsQuery({ folded = false } = {}) {
  return queryOptions({
    queryKey: folded ? [...jobKeys.active, "folded"] : jobKeys.active,
    queryFn: async ({ signal }) => {
      const query = { active: true, folded, limit: 200 };
      return (await unwrap(client.GET("/api/v1/jobs", { params: { query }, signal }))).items;
    },
    refetchInterval: ({ state }) => ((state.data?.length ?? 0) > 0 ? 1500 : 6000),
  });
}

export function finishedJobsQuery() {
  return pagedQuery({
    key: jobKeys.finished,
    limit: PAGE_SIZE,
    ask: (page, signal) => {
      const query = { active: false, folded: true, ...page };
      return unwrap(client.GET("/api/v1/jobs", { params: { query }, signal }));
    },
  });
}

export function jobQuery(jobId: string) {
  return queryOptions({
    queryKey: jobKeys.job(jobId),
    queryFn: ({ signal }) =>
      unwrap(client.GET("/api/v1/jobs/{job_id}", { ...path(jobId), signal })),
  });
}

export function useActiveJobCount(): number {
  return useQuery(activeJobsQuery()).data?.length ?? 0;
}

/** The queue in which a job waits although no worker listens to it; empty otherwise. */
export function useUnheardQueue(jobId: string, isQueued: boolean): string {
  const jobs = useQuery({ ...activeJobsQuery(), enabled: isQueued }).data ?? [];
  if (!isQueued) return "";
  return jobs.find(({ id }) => id === jobId)?.unheard_queue ?? "";
}

export function cancelJob(jobId: string) {
  return unwrap(client.POST("/api/v1/jobs/{job_id}/cancel", path(jobId)));
}

export function requeueJob(jobId: string) {
  return unwrap(client.POST("/api/v1/jobs/{job_id}/requeue", path(jobId)));
}

export function replyToJob(jobId: string, body: ReplyIn) {
  return unwrap(client.POST("/api/v1/jobs/{job_id}/reply", { ...path(jobId), body }));
}

/** Asks a run to pause at its next safe point. */
export function pauseJob(jobId: string) {
  return unwrap(client.POST("/api/v1/jobs/{job_id}/pause", path(jobId)));
}

/** Lets a paused run continue: to its end, or for one node run or answered action. */
export function continueJob(jobId: string, mode: "run" | "step") {
  return unwrap(client.POST("/api/v1/jobs/{job_id}/continue", { ...path(jobId), body: { mode } }));
}

/** Sends a message to the agent, delivered at its next turn. */
export function steerJob(jobId: string, body: SteerIn) {
  return unwrap(client.POST("/api/v1/jobs/{job_id}/steer", { ...path(jobId), body }));
}

/** Withdraws a message that the agent has not received yet. */
export function withdrawMessage(jobId: string, messageId: string) {
  return unwrap(
    client.DELETE("/api/v1/jobs/{job_id}/messages/{message_id}", {
      params: { path: { job_id: jobId, message_id: messageId } },
    }),
  );
}

/** Replaces the breakpoints of a run. */
export function setBreakpoints(jobId: string, breakpoints: readonly Breakpoint[]) {
  return unwrap(
    client.PUT("/api/v1/jobs/{job_id}/breakpoints", {
      ...path(jobId),
      body: { breakpoints: [...breakpoints] },
    }),
  );
}
