import { expect, test } from "vitest";

import type { PlaygroundRun } from "@/api/types";
import {
  isUnderWay,
  openPlayground,
  type Playground,
  type PlaygroundEvent,
  readPrompt,
  reducePlayground,
} from "@/features/tape-editor/playground/playground";
import { buildDelta, buildStarted, buildState } from "@/features/tape-editor/testing/builders";
import { job } from "@/testing/builders";

const SYSTEM = { role: "system", content: "Be brief." };
const CALL = {
  role: "assistant",
  content: null,
  tool_calls: [{ id: "1", type: "function", function: { name: "add", arguments: "{}" } }],
};
const TOOL = { role: "tool", tool_call_id: "1", content: "4" };

function open(...messages: Record<string, unknown>[]): Playground {
  return openPlayground(messages, [{ type: "function" }], { temperature: 0.5 });
}

function play(start: Playground, ...events: PlaygroundEvent[]): Playground {
  return events.reduce(reducePlayground, start);
}

function firstOf(playground: Playground) {
  const [answer] = playground.answers;
  if (answer === undefined) throw new Error("There is no answer.");
  return answer;
}

const run = (values: Partial<PlaygroundRun>): PlaygroundRun => ({
  job: job({ id: "job", state: "succeeded" }),
  model_name: "m",
  output: { content: "whole" },
  usage: {
    input_tokens: 1,
    cache_read_tokens: null,
    cache_write_tokens: null,
    output_tokens: 1,
    reasoning_tokens: null,
    is_estimate: false,
  },
  price_lines: [],
  cost_micro_usd: 1,
  duration_seconds: 1,
  first_token_seconds: null,
  finish_reason: "stop",
  words: null,
  ...values,
});

test("a prompt that nobody changed is sent as it was recorded", () => {
  const parts = { role: "user", content: [{ type: "text", text: "hi" }] };

  expect(readPrompt(open(SYSTEM, parts, CALL, TOOL))).toEqual({
    messages: [SYSTEM, parts, CALL, TOOL],
    tools: [{ type: "function" }],
    parameters: { temperature: 0.5 },
  });
});

test("messages are edited, added, moved and taken out", () => {
  const edited = play(
    open(SYSTEM, { role: "user", content: "one" }, { role: "user", content: "two" }),
    { type: "message.edited", key: 0, part: { text: "Be long." } },
    { type: "message.moved", key: 2, by: -1 },
    { type: "message.moved", key: 0, by: -1 },
    { type: "message.removed", key: 1 },
    { type: "message.added", after: 0 },
  );

  expect(edited.messages.map(({ role, text }) => [role, text])).toEqual([
    ["system", "Be long."],
    ["user", ""],
    ["user", "two"],
  ]);
  expect(new Set(edited.messages.map(({ key }) => key)).size).toBe(3);
});

test("what is no JSON is told before anything is asked", () => {
  const start = open(SYSTEM);

  expect(readPrompt(play(start, { type: "tools.edited", text: "{}" }))).toHaveProperty("problem");
  expect(readPrompt(play(start, { type: "parameters.edited", text: "[" }))).toHaveProperty(
    "problem",
  );
  expect(
    readPrompt(play(start, { type: "message.edited", key: 0, part: { rest: "[1]" } })),
  ).toEqual({ problem: "The JSON of message 1 is not an object." });
  expect(readPrompt(play(start, { type: "message.removed", key: 0 }))).toHaveProperty("problem");
});

test("an answer grows while it comes and ends with its price", () => {
  const start = open(SYSTEM);
  const { key } = firstOf(start);
  const asked = play(
    start,
    { type: "answer.asked", key },
    { type: "answer.queued", key, jobId: "job" },
    { type: "answer.message", key, message: buildStarted() },
    { type: "answer.message", key, message: buildDelta("who") },
    { type: "answer.message", key, message: buildDelta("le") },
  );

  expect(firstOf(asked)).toMatchObject({ state: "answering", text: "whole", run: null });
  expect(asked.answers[1]?.state).toBe("none");

  const done = play(
    asked,
    { type: "answer.message", key, message: buildState("succeeded") },
    { type: "answer.loaded", key, run: run({}) },
  );
  expect(firstOf(done)).toMatchObject({ state: "done", text: "whole", error: "" });
  expect(isUnderWay(firstOf(done))).toBe(false);
});

test("a stopped answer keeps what came; a failed one says why", () => {
  const start = open(SYSTEM);
  const { key } = firstOf(start);
  const half: PlaygroundEvent[] = [
    { type: "answer.asked", key },
    { type: "answer.message", key, message: buildDelta("half") },
  ];

  const stopped = play(start, ...half, {
    type: "answer.message",
    key,
    message: buildState("cancelled"),
  });
  const failed = play(start, ...half, {
    type: "answer.message",
    key,
    message: buildState("failed", { message: "No key." }),
  });

  expect(firstOf(stopped)).toMatchObject({ state: "stopped", text: "half" });
  expect(firstOf(failed)).toMatchObject({ state: "failed", error: "No key.", text: "half" });
});

test("the answer to an earlier question does not end a later one", () => {
  const start = open(SYSTEM);
  const { key } = firstOf(start);

  const later = play(
    start,
    { type: "answer.asked", key },
    { type: "answer.queued", key, jobId: "second" },
    { type: "answer.loaded", key, run: run({}) },
  );

  expect(firstOf(later)).toMatchObject({ state: "asking", text: "" });
});
