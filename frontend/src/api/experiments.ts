/** Experiments: many branches of a tape that run side by side. Query keys and requests together. */
import { queryOptions } from "@tanstack/react-query";

import { checkQuery } from "@/api/checking";
import { client, settle, unwrap } from "@/api/client";
import type {
  Branch,
  BranchPatch,
  Experiment,
  ExperimentBudget,
  ExperimentCheck,
  ExperimentIn,
} from "@/api/types";

const LIVE_MS = 1500;
const ofTape = (tapeId: string) => ({ params: { path: { tape_id: tapeId } } });
const path = (id: string) => ({ params: { path: { experiment_id: id } } });

export const experimentKeys = {
  ofTape: (tapeId: string) => ["experiments", "of", tapeId],
  one: (id: string) => ["experiments", "one", id],
};

export function experimentsQuery(tapeId: string) {
  return queryOptions({
    queryKey: experimentKeys.ofTape(tapeId),
    queryFn: ({ signal }) =>
      unwrap(client.GET("/api/v1/tapes/{tape_id}/experiments", { ...ofTape(tapeId), signal })),
    refetchInterval: ({ state: { data } }) =>
      data?.some((row) => row.unfinished_count > 0) === true ? 2 * LIVE_MS : false,
  });
}

/** How many runs it would start, if it could be started; nothing is. */
export function experimentCheckQuery(tapeId: string, body: ExperimentIn | null) {
  return checkQuery(experimentKeys.ofTape(tapeId), body, (asked, signal) =>
    unwrap(
      client.POST("/api/v1/tapes/{tape_id}/experiments/check", {
        ...ofTape(tapeId),
        body: asked,
        signal,
      }),
    ),
  );
}

/** Branches as rows, without their steps; polled while one of them is running. */
export function experimentQuery(id: string) {
  return queryOptions({
    queryKey: experimentKeys.one(id),
    queryFn: ({ signal }) =>
      unwrap(client.GET("/api/v1/experiments/{experiment_id}", { ...path(id), signal })),
    refetchInterval: ({ state: { data } }) =>
      data !== undefined && isLive(data) ? LIVE_MS : false,
    refetchIntervalInBackground: false,
  });
}

export function isAtWork({ state }: Branch): boolean {
  return state === "queued" || state === "running";
}

/** The run has finished, but the result of its check has not arrived yet. */
export function isBeingJudged(branch: Branch, { check }: Experiment): boolean {
  const hasEnded = branch.state === "succeeded" || branch.state === "waiting";
  return check !== null && hasEnded && branch.judged_as === "" && branch.reason === "";
}

function isLive(experiment: Experiment): boolean {
  return experiment.branches.some(
    (branch) => isAtWork(branch) || isBeingJudged(branch, experiment),
  );
}

export function startExperiment(tapeId: string, body: ExperimentIn) {
  return unwrap(client.POST("/api/v1/tapes/{tape_id}/experiments", { ...ofTape(tapeId), body }));
}

export function cancelExperiment(id: string) {
  return unwrap(client.POST("/api/v1/experiments/{experiment_id}/cancel", path(id)));
}

export function retryExperiment(id: string, budget: ExperimentBudget | null) {
  return unwrap(
    client.POST("/api/v1/experiments/{experiment_id}/retry", { ...path(id), body: { budget } }),
  );
}

export function recheckExperiment(id: string, check: ExperimentCheck | null) {
  return unwrap(
    client.POST("/api/v1/experiments/{experiment_id}/check", { ...path(id), body: { check } }),
  );
}

export function changeBranch(id: string, number: number, body: BranchPatch) {
  return unwrap(
    client.PATCH("/api/v1/experiments/{experiment_id}/branches/{number}", {
      params: { path: { experiment_id: id, number } },
      body,
    }),
  );
}

export function labelForTraining(id: string, best: number) {
  return settle(
    client.POST("/api/v1/experiments/{experiment_id}/labels", {
      ...path(id),
      body: { name: "training_set", best, worst: null },
    }),
  );
}

export function labelPair(id: string, best: number, worst: number) {
  return settle(
    client.POST("/api/v1/experiments/{experiment_id}/labels", {
      ...path(id),
      body: { name: "preference_pair", best, worst },
    }),
  );
}

export function pairAddress(id: string, best: number, worst: number): string {
  return `/api/v1/experiments/${id}/preference-pair?best=${best}&worst=${worst}`;
}
