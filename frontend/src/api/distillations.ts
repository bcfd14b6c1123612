/** Distillations: a student learns, round by round, from a teacher's answers. */
import { checkQuery } from "@/api/checking";
import { client, unwrap } from "@/api/client";
import { jobRowQuery, jobRowsQuery, useJobChange } from "@/api/jobRows";
import { requeueJob } from "@/api/jobs";
import type { DistillationRequest } from "@/api/types";

const all = ["distillations"];

/** Newest first. */
export function distillationsQuery() {
  return jobRowsQuery([...all, "list"], (query, signal) =>
    unwrap(client.GET("/api/v1/distillations", { params: { query }, signal })),
  );
}

export function distillationQuery(jobId: string) {
  const params = { path: { job_id: jobId } };
  return jobRowQuery(
    [...all, jobId],
    (signal) => unwrap(client.GET("/api/v1/distillations/{job_id}", { params, signal })),
    ({ state }) => state,
  );
}

/** Whether it could be started; nothing is. `null`: nothing is asked yet. */
export function distillationCheckQuery(body: DistillationRequest | null) {
  return checkQuery(all, body, (asked, signal) =>
    unwrap(client.POST("/api/v1/distillations/check", { body: asked, signal })),
  );
}

export function useStartDistillation() {
  return useJobChange(all, (body: DistillationRequest) =>
    unwrap(client.POST("/api/v1/distillations", { body })),
  );
}

/** Resumes with the round that was in progress. */
export function useResumeDistillation(jobId: string) {
  return useJobChange<undefined>(all, () => requeueJob(jobId));
}
