/** What a finetune wrote of itself: read as it grows, from where it was read last. */
import { queryOptions, useQueryClient, useQuery, keepPreviousData } from "@tanstack/react-query";
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
});
const generation = v.object({
  event: v.literal("generation"),
  step: v.number(),
  id: v.string(),
  prompt: v.string(),
  expected: v.string(),
  answer: v.string(),
});
const event = v.variant("event", [step, plan, measured, evaluation, generation]);

export type TrainingStep = v.InferOutput<typeof step>;
export type TrainingPlan = v.InferOutput<typeof plan>;
export type Generation = v.InferOutput<typeof generation>;

/** A run as its events tell it. */
export interface TrainingLog {
  steps: readonly TrainingStep[];
  evaluations: readonly v.InferOutput<typeof evaluation>[];
  generations: readonly Generation[];
  plan: TrainingPlan | null;
  measured: v.InferOutput<typeof measured> | null;
  /** Where to read on. */
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
  start: number;
  next: number;
}

/** Add a page to what is known; one that begins earlier than asked replaces all of it. */
export function joinPage(before: TrainingLog, page: Page): TrainingLog {
  const kept = page.start < before.next ? EMPTY_LOG : before;
  const events = page.events.flatMap((one) => {
    const parsed = v.safeParse(event, one);
    return parsed.success ? [parsed.output] : [];
  });
  const of = <Kind extends (typeof events)[number]["event"]>(kind: Kind) =>
    events.filter(
      (one): one is Extract<(typeof events)[number], { event: Kind }> => one.event === kind,
    );
  return {
    steps: [...kept.steps, ...of("step")],
    evaluations: [...kept.evaluations, ...of("evaluation")],
    generations: [...kept.generations, ...of("generation")],
    plan: of("plan").at(-1) ?? kept.plan,
    measured: of("measured").at(-1) ?? kept.measured,
    next: page.next,
  };
}

const LIVE_MS = 2000;

/** The log of a run: read on every two seconds while it is at work, once more when it has ended. */
export function useTrainingLog(jobId: string, isLive: boolean) {
  const queries = useQueryClient();
  const key = [...logKey(jobId), isLive ? "live" : "whole"];
  return useQuery(
    queryOptions({
      queryKey: key,
      queryFn: async ({ signal }) => {
        let log = queries.getQueryData<TrainingLog>(key) ?? EMPTY_LOG;
        for (;;) {
          const page = await readOn(jobId, log.next, signal);
          const isEnd = page.events.length === 0 && page.start === log.next;
          log = joinPage(log, page);
          if (isEnd || page.next === 0) return log;
        }
      },
      refetchInterval: isLive ? LIVE_MS : false,
      placeholderData: keepPreviousData,
    }),
  );
}

/** A run that goes on has cut its log: whoever lets it go on forgets what was read. */
export function logKey(jobId: string) {
  return ["training", "log", jobId];
}

async function readOn(jobId: string, start: number, signal: AbortSignal): Promise<Page> {
  try {
    return await readPage(jobId, start, signal);
  } catch (error) {
    if (start === 0 || signal.aborted) throw error;
    // A log that was cut and has grown again has no line that begins here.
    return readPage(jobId, 0, signal);
  }
}

function readPage(jobId: string, start: number, signal: AbortSignal): Promise<Page> {
  const params = { path: { job_id: jobId }, query: { start } };
  return unwrap(client.GET("/api/v1/finetunes/{job_id}/metrics", { params, signal }));
}
