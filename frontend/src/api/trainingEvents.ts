/** The events that a finetune logs, read in pages as the log grows. */
import {
  keepPreviousData,
  queryOptions,
  useQuery,
  useQueryClient,
  type QueryClient,
} from "@tanstack/react-query";
import * as v from "valibot";

import { client, unwrap } from "@/api/client";

const known = v.nullish(v.number(), null);
const step = v.object({
  event: v.literal("step"),
  step: v.number(),
  loss: v.number(),
  learning_rate: v.number(),
  tokens_per_second: v.number(),
  seconds: v.number(),
  seconds_left: v.number(),
  memory: v.number(),
  examples: v.record(v.string(), v.number()),
});
const plan = v.object({
  event: v.literal("plan"),
  examples: v.number(),
  left_out: v.number(),
  notes: v.optional(v.array(v.string()), []),
  evaluation_examples: v.number(),
  tokens_per_epoch: v.number(),
  trained_tokens_per_epoch: v.number(),
  longest: v.number(),
  steps: v.number(),
  parameters: v.number(),
  trainable: v.number(),
  expected_memory: v.number(),
  expected_seconds: known,
});
const measured = v.object({
  event: v.literal("measured"),
  memory: v.number(),
  seconds: v.number(),
});
const evaluation = v.object({
  event: v.literal("evaluation"),
  step: v.number(),
  loss: v.number(),
  is_best: v.boolean(),
  /** Mean share of an example's answers that are right to the last token; older runs have none. */
  answers_right: known,
});
const generation = v.object({
  event: v.literal("generation"),
  step: v.number(),
  id: v.string(),
  prompt: v.string(),
  expected: v.string(),
  answer: v.string(),
});
const resumed = v.object({ event: v.literal("resumed"), step: v.number() });
const event = v.variant("event", [step, plan, measured, evaluation, generation, resumed]);

export type TrainingStep = v.InferOutput<typeof step>;
export type TrainingPlan = v.InferOutput<typeof plan>;
export type Generation = v.InferOutput<typeof generation>;

/** A run as its events describe it. */
export interface TrainingLog {
  steps: readonly TrainingStep[];
  evaluations: readonly v.InferOutput<typeof evaluation>[];
  generations: readonly Generation[];
  plan: TrainingPlan | null;
  measured: v.InferOutput<typeof measured> | null;
  /** Where to continue reading. */
  next: number;
}

export const EMPTY_LOG: TrainingLog = {
  steps: [],
  evaluations: [],
  generations: [],
  plan: null,
  measured: null,
  next: 0,
};

interface Page {
  events: readonly unknown[];
  next: number;
}

/** Add a page to the log. A resumed run repeats the steps after its checkpoint. */
export function joinPage(before: TrainingLog, page: Page): TrainingLog {
  let log = before;
  for (const one of page.events) {
    const parsed = v.safeParse(event, one);
    if (parsed.success) log = addEvent(log, parsed.output);
  }
  return { ...log, next: page.next };
}

function addEvent(log: TrainingLog, one: v.InferOutput<typeof event>): TrainingLog {
  switch (one.event) {
    case "plan":
      return { ...log, plan: one };
    case "measured":
      return { ...log, measured: one };
    case "step":
      return { ...log, steps: [...log.steps, one] };
    case "evaluation":
      return { ...log, evaluations: [...log.evaluations, one] };
    case "generation":
      return { ...log, generations: [...log.generations, one] };
    case "resumed":
      return {
        ...log,
        steps: log.steps.filter(({ step }) => step <= one.step),
        evaluations: log.evaluations.filter(({ step }) => step <= one.step),
        generations: log.generations.filter(({ step }) => step <= one.step),
      };
  }
}

const LIVE_MS = 2000;

/** The log of a run: read every two seconds while it is running, once more when it has ended. */
export function trainingLogQuery(queries: QueryClient, jobId: string, isLive: boolean) {
  const key = [...logKey(jobId), isLive ? "live" : "whole"];
  return queryOptions({
    queryKey: key,
    queryFn: async ({ signal }) => {
      let log = queries.getQueryData<TrainingLog>(key) ?? EMPTY_LOG;
      for (;;) {
        const page = await readPage(jobId, log.next, signal);
        log = joinPage(log, page);
        if (page.events.length === 0) return log;
      }
    },
    refetchInterval: isLive ? LIVE_MS : false,
  });
}

export function useTrainingLog(jobId: string, isLive: boolean) {
  const options = trainingLogQuery(useQueryClient(), jobId, isLive);
  return useQuery({ ...options, placeholderData: keepPreviousData });
}

export function logKey(jobId: string) {
  return ["training", "log", jobId];
}

function readPage(jobId: string, start: number, signal: AbortSignal): Promise<Page> {
  const params = { path: { job_id: jobId }, query: { start } };
  return unwrap(client.GET("/api/v1/finetunes/{job_id}/metrics", { params, signal }));
}
