/** Sweeps: variants over tasks, and what their scores show. */
import { queryOptions, useMutation } from "@tanstack/react-query";

import { checkQuery } from "@/api/checking";
import { client, settle, unwrap } from "@/api/client";
import { jobRowQuery, jobRowsQuery, useJobChange } from "@/api/jobRows";
import type { ScoringRequest, SweepAmendment, SweepCard, SweepRequest } from "@/api/types";
import { withProject } from "@/lib/project";

export const sweepKeys = { all: ["sweeps"] };
const { all } = sweepKeys;
const ofJob = (id: string) => ({ path: { job_id: id } });

/** Newest first. */
export function sweepsQuery() {
  return jobRowsQuery([...all, "list"], (query, signal) =>
    unwrap(client.GET("/api/v1/sweeps", { params: { query }, signal })),
  );
}

/** `by`: the id of a scoring, or `outcome`; if empty, the sweep's initial scorer decides. */
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

/** The forecast for a sweep; nothing is started. `null`: nothing is asked yet. */
export function sweepForecastQuery(body: SweepRequest | null) {
  return checkQuery(all, body, (asked, signal) =>
    unwrap(client.POST("/api/v1/sweeps/preview", { body: asked, signal })),
  );
}

const NOTHING_ADDED = { variants: [], seeds: [], repeats: 0, retry: false };

/** The forecast for an amendment; nothing is changed. */
export function amendmentForecastQuery(jobId: string, change: Partial<SweepAmendment>) {
  const body = { ...NOTHING_ADDED, ...change };
  return queryOptions({
    queryKey: [...all, jobId, "forecast", change],
    queryFn: ({ signal }) =>
      unwrap(
        client.POST("/api/v1/sweeps/{job_id}/amend/preview", {
          params: ofJob(jobId),
          body,
          signal,
        }),
      ),
    retry: false,
  });
}

/** Adds to a sweep, or retries its failed attempts. */
export function useAmendSweep(jobId: string) {
  return useJobChange(all, (change: Partial<SweepAmendment>) => {
    const body = { ...NOTHING_ADDED, ...change };
    return unwrap(client.POST("/api/v1/sweeps/{job_id}/amend", { params: ofJob(jobId), body }));
  });
}

/** Pauses a sweep together with its attempts in flight, or resumes it. */
export function usePauseSweep(jobId: string) {
  const params = ofJob(jobId);
  return useJobChange(all, (change: "pause" | "continue") =>
    unwrap(
      change === "pause"
        ? client.POST("/api/v1/sweeps/{job_id}/pause", { params })
        : client.POST("/api/v1/sweeps/{job_id}/continue", { params }),
    ),
  );
}

/** Scores finished attempts with another scorer; nothing is run again. */
export function useScoreSweep(jobId: string) {
  return useJobChange(all, (body: ScoringRequest) =>
    unwrap(client.POST("/api/v1/sweeps/{job_id}/scorings", { params: ofJob(jobId), body })),
  );
}

/** Whether a sweep could be scored so; nothing is. `null`: nothing is asked yet. */
export function scoringCheckQuery(jobId: string, body: ScoringRequest | null) {
  return checkQuery([...all, jobId], body, async (asked, signal) => {
    const params = ofJob(jobId);
    await settle(
      client.POST("/api/v1/sweeps/{job_id}/scorings/check", { params, body: asked, signal }),
    );
    return true;
  });
}

const ofScoring = (jobId: string, scoringId: string) => ({
  path: { job_id: jobId, scoring_id: scoringId },
});

/** A scorer compared with people; `halfWidth` is how narrow its corrected score should be. */
export function benchQuery(jobId: string, scoringId: string, halfWidth: number) {
  const params = { ...ofScoring(jobId, scoringId), query: { half_width: halfWidth } };
  return queryOptions({
    queryKey: [...all, jobId, "bench", scoringId, halfWidth],
    queryFn: ({ signal }) =>
      unwrap(client.GET("/api/v1/sweeps/{job_id}/scorings/{scoring_id}/bench", { params, signal })),
    placeholderData: (before) => before,
  });
}

/** Where others disagree with a scorer: people, another scorer, another variant. */
export function disagreementsQuery(jobId: string, scoringId: string) {
  const params = ofScoring(jobId, scoringId);
  return queryOptions({
    queryKey: [...all, jobId, "disagreements", scoringId],
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/api/v1/sweeps/{job_id}/scorings/{scoring_id}/disagreements", {
          params,
          signal,
        }),
      ),
  });
}

/** Puts attempts that people should label into a queue. */
export function useAskForLabels(jobId: string, scoringId: string) {
  return useMutation({
    mutationFn: (body: { name: string; count: number; disagreement: string }) => {
      const params = ofScoring(jobId, scoringId);
      return unwrap(
        client.POST("/api/v1/sweeps/{job_id}/scorings/{scoring_id}/labels", { params, body }),
      );
    },
  });
}

/** Opens the tapes of a judge's verdict on a run; they are created on the first request. */
export function useOpenVerdict(jobId: string, scoringId: string) {
  return useMutation({
    mutationFn: (tapeId: string) => {
      const path = { job_id: jobId, scoring_id: scoringId, tape_id: tapeId };
      return unwrap(
        client.POST("/api/v1/sweeps/{job_id}/scorings/{scoring_id}/verdicts/{tape_id}", {
          params: { path },
        }),
      );
    },
  });
}

/** The card of a finished sweep: everything that it was made from. */
export function cardQuery(jobId: string) {
  return queryOptions({
    queryKey: [...all, jobId, "card"],
    queryFn: ({ signal }) =>
      unwrap(client.GET("/api/v1/sweeps/{job_id}/card", { params: ofJob(jobId), signal })),
  });
}

export function useStartFromCard() {
  return useJobChange(all, (card: SweepCard) =>
    unwrap(client.POST("/api/v1/sweeps/from-card", { body: { card } })),
  );
}

export function cardUrl(jobId: string): string {
  return withProject(`/api/v1/sweeps/${jobId}/card`);
}

export function reportUrl(jobId: string, format: "csv" | "json" | "md", by = ""): string {
  return withProject(`/api/v1/sweeps/${jobId}/report.${format}${decidedBy(by)}`);
}

/** A variant of a sweep as a log that Inspect can read. */
export function inspectLogUrl(jobId: string, letter: string, by = ""): string {
  return withProject(`/api/v1/sweeps/${jobId}/variants/${letter}.eval${decidedBy(by)}`);
}

function decidedBy(by: string): string {
  return by === "" ? "" : `?by=${encodeURIComponent(by)}`;
}

/** The Python functions that plugins provide as scorers. */
export function scorerFunctionsQuery() {
  return queryOptions({
    queryKey: ["scorer-functions"],
    queryFn: ({ signal }) => unwrap(client.GET("/api/v1/scorer-functions", { signal })),
    staleTime: Infinity,
  });
}
