/** Training sets, finetunes, adapters and base models; each is created by a job. */
import { queryOptions, useQueryClient } from "@tanstack/react-query";
import * as v from "valibot";

import { checkQuery } from "@/api/checking";
import { client, unwrap } from "@/api/client";
import { IDLE_MS, jobRowQuery, jobRowsQuery, useJobChange } from "@/api/jobRows";
import { pagedQuery } from "@/api/pages";
import { logKey } from "@/api/trainingEvents";
import { type JsonObject } from "@/lib/json";
import type { FinetuneRequest, TrainingSetRequest } from "@/api/types";

const all = ["training"];
const whileOpen = () => IDLE_MS;
const ofSet = (id: string) => ({ path: { training_set_id: id } });
const ofJob = (id: string) => ({ path: { job_id: id } });

export function trainingSetsQuery() {
  return pagedQuery({
    key: [...all, "sets"],
    ask: (query, signal) =>
      unwrap(client.GET("/api/v1/training-sets", { params: { query }, signal })),
    everyMs: whileOpen,
  });
}

export function trainingSetQuery(setId: string) {
  return queryOptions({
    queryKey: [...all, "set", setId],
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/api/v1/training-sets/{training_set_id}", { params: ofSet(setId), signal }),
      ),
  });
}

/** What is known of the base models' chat templates; fetched again when a base is added. */
export function baseTemplatesQuery(bases: readonly string[]) {
  return queryOptions({
    queryKey: [...all, "templates", bases],
    queryFn: ({ signal }) => unwrap(client.GET("/api/v1/base-models/templates", { signal })),
    staleTime: Infinity,
  });
}

/** Newest first. */
export function finetunesQuery() {
  return jobRowsQuery([...all, "finetunes"], (query, signal) =>
    unwrap(client.GET("/api/v1/finetunes", { params: { query }, signal })),
  );
}

export function finetuneQuery(jobId: string) {
  const params = ofJob(jobId);
  return jobRowQuery(
    [...all, "finetune", jobId],
    (signal) => unwrap(client.GET("/api/v1/finetunes/{job_id}", { params, signal })),
    ({ state }) => state,
  );
}

/** All options of a finetune, including those from its preset and the defaults. */
export function finetuneConfigQuery(jobId: string) {
  return queryOptions({
    queryKey: [...all, "config", jobId],
    queryFn: async ({ signal }): Promise<JsonObject> => {
      const params = ofJob(jobId);
      return unwrap(client.GET("/api/v1/finetunes/{job_id}/config", { params, signal }));
    },
  });
}

const finetuneOptions = v.object({
  schema: v.object({
    properties: v.record(v.string(), v.record(v.string(), v.unknown())),
  }),
  presets: v.record(v.string(), v.record(v.string(), v.unknown())),
});

export type FinetuneOptions = v.InferOutput<typeof finetuneOptions>;

export function finetuneOptionsQuery() {
  return queryOptions({
    queryKey: [...all, "options"],
    queryFn: async ({ signal }) =>
      v.parse(finetuneOptions, await unwrap(client.GET("/api/v1/finetunes/options", { signal }))),
    staleTime: Infinity,
  });
}

export function adaptersQuery() {
  return pagedQuery({
    key: [...all, "adapters"],
    ask: (query, signal) => unwrap(client.GET("/api/v1/adapters", { params: { query }, signal })),
    everyMs: whileOpen,
  });
}

export function baseModelsQuery() {
  return queryOptions({
    queryKey: [...all, "bases"],
    queryFn: ({ signal }) => unwrap(client.GET("/api/v1/base-models", { signal })),
    refetchInterval: IDLE_MS,
  });
}

export function useMakeSet() {
  return useJobChange(all, (body: TrainingSetRequest) =>
    unwrap(client.POST("/api/v1/training-sets", { body })),
  );
}

/** What it would learn from, if it could be started; nothing is. `null`: nothing is asked yet. */
export function finetuneCheckQuery(body: FinetuneRequest | null) {
  return checkQuery(all, body, (asked, signal) =>
    unwrap(client.POST("/api/v1/finetunes/check", { body: asked, signal })),
  );
}

export function useStartFinetune() {
  return useJobChange(all, (body: FinetuneRequest) =>
    unwrap(client.POST("/api/v1/finetunes", { body })),
  );
}

export function useResumeFinetune(jobId: string) {
  const queries = useQueryClient();
  return useJobChange<undefined>(all, async () => {
    const call = client.POST("/api/v1/finetunes/{job_id}/resume", { params: ofJob(jobId) });
    const job = await unwrap(call);
    await queries.resetQueries({ queryKey: logKey(jobId) });
    return job;
  });
}

const TINY_BASE = {
  name: "tiny-base",
  steps: 2400,
  width: 128,
  layers: 4,
  vocabulary: 512,
  learning_rate: 0.007,
  seed: 0,
  corpus: 3,
  reach: "near",
  short_share: 0.3,
  far_edition: 1,
} as const;

export function useMakeTinyBase() {
  return useJobChange<undefined>(all, () =>
    unwrap(client.POST("/api/v1/base-models", { body: TINY_BASE })),
  );
}

const setFacts = v.object({
  base: v.string(),
  recorded_count: v.number(),
  rebuilt: v.array(v.object({ why: v.string(), count: v.number() })),
  group_count: v.number(),
  equal_group_count: v.number(),
  none_held_out: v.optional(v.string(), ""),
  parts: v.array(
    v.object({
      training_set_id: v.string(),
      name: v.string(),
      kind: v.picklist(["chat", "preference"]),
      weight: v.number(),
      available_count: v.number(),
      learnt_count: v.number(),
    }),
  ),
});

const madeSet = v.object({
  training_set_id: v.string(),
  train_count: v.number(),
  held_out_count: v.number(),
  tapes: v.number(),
  left_out: v.array(v.object({ why: v.string(), tape_count: v.number() })),
  examples_left_out: v.record(v.string(), v.number()),
  facts: v.optional(setFacts),
});

export type MadeSet = v.InferOutput<typeof madeSet>;

/** The result of the job that makes a set; `null` until it has one. */
export function readMadeSet(result: unknown): MadeSet | null {
  const parsed = v.safeParse(madeSet, result);
  return parsed.success ? parsed.output : null;
}
