import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { http, HttpResponse } from "msw";
import { beforeEach, expect, test } from "vitest";

import { EMPTY_LOG, joinPage } from "@/api/trainingEvents";
import type { ExampleRow } from "@/api/types";
import { FinetunePage } from "@/features/training/FinetunePage";
import { FINETUNE, serveTraining, SET } from "@/features/training/testing";
import { answer, record } from "@/testing/answers";
import { job, uuid } from "@/testing/builders";
import { renderScreen } from "@/testing/render";
import { server } from "@/testing/server";

const ID = FINETUNE.job_id;
const EXAMPLE: ExampleRow = {
  id: "call-1",
  side: "train",
  number: 0,
  tape: uuid(1),
  step: 4,
  writer: "model",
  length: 40,
  asked: "Where is the beacon?",
  answered: "On the cliff.",
  is_recorded: false,
  reward: null,
  weight: null,
  call_count: 1,
  has_reasoning: false,
};
const PLAN = {
  event: "plan",
  step: 0,
  examples: 9,
  left_out: 1,
  notes: ["1 of 10 examples left out. An example is longer than max_length."],
  evaluation_examples: 2,
  tokens_per_epoch: 1234,
  trained_tokens_per_epoch: 200,
  longest: 250,
  steps: 2,
  parameters: 30_000,
  trainable: 4000,
  expected_memory: 5_000_000,
  expected_seconds: 12,
};

function step(number: number, loss: number) {
  return {
    event: "step",
    step: number,
    loss,
    learning_rate: 0.001,
    tokens_per_second: 900,
    seconds: number,
    seconds_left: 1,
    memory: 1,
    examples: { "call-1": loss, "call-2": loss / 2 },
  };
}

const EVENTS = [
  PLAN,
  step(1, 4.5),
  { event: "measured", step: 1, memory: 6_000_000, seconds: 20 },
  step(2, 3.25),
  { event: "evaluation", step: 2, loss: 3.5, is_best: true, answers_right: 0.25 },
  { event: "generation", step: 2, id: "x", prompt: "Where?", expected: "Cliff", answer: "Sea" },
  { event: "something new", step: 2 },
];

beforeEach(() => {
  serveTraining();
  server.use(
    answer("get", `/finetunes/${ID}`, FINETUNE),
    serveLog(EVENTS),
    answer("get", `/training-sets/${SET.id}/examples`, { items: [EXAMPLE], total: 1 }),
  );
});

/** One byte for each event. */
function serveLog(events: readonly unknown[]) {
  return http.get(`http://studio.test/api/v1/finetunes/${ID}/metrics`, ({ request }) => {
    const start = Number(new URL(request.url).searchParams.get("start"));
    return HttpResponse.json({ events: events.slice(start), start, next: events.length });
  });
}

function open(search = "") {
  const element = <FinetunePage />;
  return renderScreen({ path: "/training/:jobId", element, at: `/training/${ID}${search}` });
}

test("a run shows its curves, plan and answers; a step leads to its worst examples", async () => {
  const { address } = open();

  const loss = await screen.findByRole("figure", { name: /^Loss step 2 Loss 3.25 Held out 3.5/ });
  expect(screen.getByRole("figure", { name: /^Held-out answers right .*25 %/ })).toBeVisible();
  expect(screen.getByText("9, 1 left out")).toBeVisible();
  const notes = within(screen.getByRole("list", { name: "Not learnt" }));
  expect(notes.getByText(/^1 of 10 examples left out/)).toBeVisible();
  expect(screen.getByText("5.0 MB expected, 6.0 MB measured")).toBeVisible();
  expect(screen.getByText("12.0 s expected, 20.0 s measured")).toBeVisible();
  const answers = within(screen.getByRole("region", { name: "Answers after step 2" }));
  for (const words of ["Where?", "Cliff", "Sea"]) expect(answers.getByText(words)).toBeVisible();

  fireEvent.change(within(loss).getByRole("slider"), { target: { value: "1" } });
  expect(address()).toBe(`/training/${ID}?step=1`);
  const worst = within(screen.getByRole("table", { name: "Worst examples of step 1" }));
  const [, first, second] = worst.getAllByRole("row");
  expect(first).toHaveTextContent("4.5");
  expect(second).toHaveTextContent("2.25");
  expect(await worst.findByRole("link", { name: "Example 1" })).toHaveAttribute(
    "href",
    `/training/sets/${SET.id}?example=call-1`,
  );
  const tape = await worst.findByRole("link", { name: /step 4/ });
  expect(tape).toHaveAttribute("href", `/t/${uuid(1)}?step=4`);
});

test("a run that went on does the steps after its checkpoint again", () => {
  const before = joinPage(EMPTY_LOG, { events: EVENTS, next: 900 });

  const on = joinPage(before, { events: [step(3, 3)], next: 950 });
  const again = joinPage(on, {
    events: [{ event: "resumed", step: 1 }, step(2, 4)],
    next: 990,
  });

  expect(on.steps.map((one) => one.step)).toEqual([1, 2, 3]);
  expect(again.steps.map(({ step, loss }) => [step, loss])).toEqual([
    [1, on.steps[0]?.loss],
    [2, 4],
  ]);
  expect(again.evaluations).toEqual([]);
  expect(again.next).toBe(990);
});

test("a running one is cancelled; one that was goes on from its checkpoint", async () => {
  const going = { ...FINETUNE, state: "running", step: 1, steps: 2, adapter_id: null };
  const cancelled = record("post", `/jobs/${ID}/cancel`, job({ id: ID }), 202);
  const resumed = record("post", `/finetunes/${ID}/resume`, job({ id: ID }), 202);
  server.use(answer("get", `/finetunes/${ID}`, going), cancelled.handler, resumed.handler);
  const { user } = open();

  await user.click(await screen.findByRole("button", { name: "Cancel" }));
  await waitFor(() => expect(cancelled.requests).toHaveLength(1));
  const stopped = {
    ...going,
    state: "cancelled",
    message: "Stopped after step 1; it can be resumed.",
  };
  server.use(answer("get", `/finetunes/${ID}`, stopped));
  expect(await screen.findByText(/it can be resumed/)).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Resume from the last checkpoint" }));

  await waitFor(() => expect(resumed.requests).toHaveLength(1));
  expect(screen.getByRole("link", { name: "Duplicate and edit" })).toHaveAttribute(
    "href",
    `/training?new=finetune&from=${ID}`,
  );
});
