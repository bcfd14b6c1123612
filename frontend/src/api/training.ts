/** Training sets, finetunes, adapters and base models; making one of them is a job. */
import {
  infiniteQueryOptions,
  queryOptions,
  useMutation,
  useQueryClient,
} from "@tanstack/react-query";
import * as v from "valibot";

import { client, unwrap } from "@/api/client";
import { isFinished, jobKeys } from "@/api/jobs";
import { logKey } from "@/api/trainingEvents";
import { type JsonObject } from "@/lib/json";
import type { FinetuneRequest, TrainingSetRequest } from "@/api/types";

const all = ["training"];
const PAGE = 100;
const LIVE_MS = 2000;
const IDLE_MS = 5000;

const ofSet = (id: string) => ({ path: { training_set_id: id } });
const ofJob = (id: string) => ({ path: { job_id: id } });

export function trainingSetsQuery() {
  return infiniteQueryOptions({
    queryKey: [...all, "sets"],
    initialPageParam: "",
    queryFn: ({ pageParam, signal }) => {
      const query = { ...(pageParam !== "" && { after: pageParam }), limit: PAGE };
      return unwrap(client.GET("/api/v1/training-sets", { params: { query }, signal }));
    },
    getNextPageParam: ({ next }) => next,
    refetchInterval: IDLE_MS,
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

/** What is known of the chat templates of some bases; looked at anew when one is added. */
export function baseTemplatesQuery(bases: readonly string[]) {
  return queryOptions({
    queryKey: [...all, "templates", bases],
    queryFn: ({ signal }) => unwrap(client.GET("/api/v1/base-models/templates", { signal })),
    staleTime: Infinity,
  });
}

/** Finetunes, newest first; asked again while one of them is at work. */
export function finetunesQuery() {
  return infiniteQueryOptions({
    queryKey: [...all, "finetunes"],
    initialPageParam: "",
    queryFn: ({ pageParam, signal }) => {
      const query = { ...(pageParam !== "" && { after: pageParam }), limit: PAGE };
      return unwrap(client.GET("/api/v1/finetunes", { params: { query }, signal }));
    },
    getNextPageParam: ({ next }) => next,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ items }) => items.some((row) => !isFinished(row.state))) === true
        ? LIVE_MS
        : IDLE_MS,
  });
}

export function finetuneQuery(jobId: string) {
  return queryOptions({
    queryKey: [...all, "finetune", jobId],
    queryFn: ({ signal }) =>
      unwrap(client.GET("/api/v1/finetunes/{job_id}", { params: ofJob(jobId), signal })),
    refetchInterval: ({ state }) =>
      state.data !== undefined && isFinished(state.data.state) ? false : LIVE_MS,
  });
}

/** All options of a finetune, its preset's and the defaults included. */
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
  return infiniteQueryOptions({
    queryKey: [...all, "adapters"],
    initialPageParam: "",
    queryFn: ({ pageParam, signal }) => {
      const query = { ...(pageParam !== "" && { after: pageParam }), limit: PAGE };
      return unwrap(client.GET("/api/v1/adapters", { params: { query }, signal }));
    },
    getNextPageParam: ({ next }) => next,
    refetchInterval: IDLE_MS,
  });
}

export function baseModelsQuery() {
  return queryOptions({
    queryKey: [...all, "bases"],
    queryFn: ({ signal }) => unwrap(client.GET("/api/v1/base-models", { signal })),
    refetchInterval: IDLE_MS,
  });
}

function useStart<Body>(start: (body: Body) => Promise<{ id: string }>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: start,
    onSettled: async () => {
      await queries.invalidateQueries({ queryKey: all });
      await queries.invalidateQueries({ queryKey: jobKeys.all });
    },
  });
}

export function useMakeSet() {
  return useStart((body: TrainingSetRequest) =>
    unwrap(client.POST("/api/v1/training-sets", { body })),
  );
}

export function useStartFinetune() {
  return useStart((body: FinetuneRequest) => unwrap(client.POST("/api/v1/finetunes", { body })));
}

export function useResumeFinetune(jobId: string) {
  const queries = useQueryClient();
  return useStart<undefined>(async () => {
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
} as const;

export function useMakeTinyBase() {
  return useStart<undefined>(() => unwrap(client.POST("/api/v1/base-models", { body: TINY_BASE })));
}

const madeSet = v.object({
  training_set_id: v.string(),
  train_count: v.number(),
  held_out_count: v.number(),
  tapes: v.number(),
  left_out: v.array(v.object({ why: v.string(), tape_count: v.number() })),
  examples_left_out: v.record(v.string(), v.number()),
});

export type MadeSet = v.InferOutput<typeof madeSet>;

/** What the job that makes a set came to; `null` while it has not. */
export function readMadeSet(result: unknown): MadeSet | null {
  const parsed = v.safeParse(madeSet, result);
  return parsed.success ? parsed.output : null;
}
