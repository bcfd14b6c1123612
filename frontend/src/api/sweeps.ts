/** Sweeps: variants over tasks, and what their scores show. */
import { queryOptions, useMutation } from "@tanstack/react-query";

import { client, unwrap } from "@/api/client";
import { jobRowQuery, jobRowsQuery, useJobChange } from "@/api/jobRows";
import type { ScoringRequest, SweepAmendment, SweepRequest } from "@/api/types";
import { withProject } from "@/lib/project";

const all = ["sweeps"];
const ofJob = (id: string) => ({ path: { job_id: id } });

/** Newest first. */
export function sweepsQuery() {
  return jobRowsQuery([...all, "list"], (query, signal) =>
    unwrap(client.GET("/api/v1/sweeps", { params: { query }, signal })),
  );
}

/** `by`: the id of a scoring, or `outcome`; empty: what the sweep was started with decides. */
export function sweepQuery(jobId: string, by = "") {
  const params = { ...ofJob(jobId), query: by === "" ? {} : { by } };
  return jobRowQuery(
    [...all, jobId, by],
    (signal) => unwrap(client.GET("/api/v1/sweeps/{job_id}", { params, signal })),
    ({ sweep }) => sweep.state,
  );
}

export function useStartSweep() {
  return useJobChange(all, (body: SweepRequest) => unwrap(client.POST("/api/v1/sweeps", { body })));
}

/** Adds to a sweep, or has it try again what came to nothing. */
export function useAmendSweep(jobId: string) {
  return useJobChange(all, (change: Partial<SweepAmendment>) => {
    const body = { variants: [], seeds: [], repeats: 0, retry: false, ...change };
    return unwrap(client.POST("/api/v1/sweeps/{job_id}/amend", { params: ofJob(jobId), body }));
  });
}

/** Scores what has ended by something else; nothing is run again. */
export function useScoreSweep(jobId: string) {
  return useJobChange(all, (body: ScoringRequest) =>
    unwrap(client.POST("/api/v1/sweeps/{job_id}/scorings", { params: ofJob(jobId), body })),
  );
}

const ofScoring = (jobId: string, scoringId: string) => ({
  path: { job_id: jobId, scoring_id: scoringId },
});

/** A scorer beside people; `halfWidth` is how narrow its corrected score should be. */
export function benchQuery(jobId: string, scoringId: string, halfWidth: number) {
  const params = { ...ofScoring(jobId, scoringId), query: { half_width: halfWidth } };
  return queryOptions({
    queryKey: [...all, jobId, "bench", scoringId, halfWidth],
    queryFn: ({ signal }) =>
      unwrap(client.GET("/api/v1/sweeps/{job_id}/scorings/{scoring_id}/bench", { params, signal })),
    placeholderData: (before) => before,
  });
}

/** Makes a queue of attempts that people should look at. */
export function useAskForLabels(jobId: string, scoringId: string) {
  return useMutation({
    mutationFn: (body: { name: string; count: number }) => {
      const params = ofScoring(jobId, scoringId);
      return unwrap(
        client.POST("/api/v1/sweeps/{job_id}/scorings/{scoring_id}/labels", { params, body }),
      );
    },
  });
}

export function reportUrl(jobId: string, format: "csv" | "json" | "md", by = ""): string {
  const query = by === "" ? "" : `?by=${encodeURIComponent(by)}`;
  return withProject(`/api/v1/sweeps/${jobId}/report.${format}${query}`);
}
