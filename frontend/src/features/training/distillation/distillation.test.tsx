import { screen, within, waitFor } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";

import type { Distillation } from "@/api/types";
import {
  describeMixing,
  EMPTY_DISTILLATION,
} from "@/features/training/distillation/distillationDraft";
import { DistillationPage } from "@/features/training/distillation/DistillationPage";
import { ADAPTER, FINETUNE, serveTraining, SET } from "@/features/training/testing";
import { TrainingPage } from "@/features/training/TrainingPage";
import { agentRow, job, uuid } from "@/testing/builders";
import { answer, record } from "@/testing/answers";
import { renderScreen } from "@/testing/render";
import { server } from "@/testing/server";

const ROUND = {
  number: 1,
  teacher_share: 1,
  batches: [{ id: uuid(21), name: "student-round-1", driver: "teacher" as const }],
  set_job_id: uuid(31),
  training_set_id: SET.id,
  finetune_id: FINETUNE.job_id,
  adapter_id: ADAPTER.id,
  labels: 120,
  micro_usd: 250_000,
  unpriced_labels: 1,
};

const DISTILLATION: Distillation = {
  job_id: uuid(90),
  name: "student",
  base: "minute",
  agent_version_id: uuid(41),
  agent_name: "math",
  teacher_id: null,
  adapter_id: null,
  task_count: 12,
  round_count: 3,
  mixing: 0,
  budget: { labels: 500, micro_usd: null },
  state: "running",
  message: "Round 2 of 3: the student drives, 4 of 12 tasks",
  labels: 120,
  micro_usd: 250_000,
  unpriced_labels: 1,
  rounds: [
    ROUND,
    {
      ...ROUND,
      number: 2,
      teacher_share: 0,
      batches: [{ id: uuid(22), name: "student-round-2", driver: "student" as const }],
      training_set_id: null,
      finetune_id: null,
      adapter_id: null,
      labels: 0,
      micro_usd: 0,
      unpriced_labels: 0,
    },
  ],
  created_at: "2026-01-02T12:00:00Z",
  started_at: "2026-01-02T12:00:00Z",
  finished_at: null,
};

beforeEach(() => {
  serveTraining();
  server.use(
    answer("get", "/agents", [agentRow({ name: "math", latest_version_id: uuid(41) })]),
    answer("get", "/models", []),
    answer("get", `/distillations/${DISTILLATION.job_id}`, DISTILLATION),
    answer("get", "/distillations", { items: [DISTILLATION], next: null }),
  );
});

test("each round leads to its tapes, its set and its finetune", async () => {
  const cancelled = record("post", `/jobs/${DISTILLATION.job_id}/cancel`, job({}));
  server.use(cancelled.handler);
  const at = `/training/distillations/${DISTILLATION.job_id}`;
  const element = <DistillationPage />;
  const { user } = renderScreen({ path: "/training/distillations/:jobId", element, at });

  const rounds = await screen.findByRole("list", { name: "Rounds" });
  const [first, second] = within(rounds)
    .getAllByRole("listitem")
    .map((one) => within(one));
  expect(first?.getByRole("link", { name: "student-round-1" })).toHaveAttribute(
    "href",
    `/tapes?batch=${uuid(21)}`,
  );
  expect(first?.getByText("120 labels, at least $0.2500")).toBeVisible();
  expect(first?.getByRole("link", { name: "Training set" })).toHaveAttribute(
    "href",
    `/training/sets/${SET.id}`,
  );
  expect(first?.getByRole("link", { name: "Finetune" })).toHaveAttribute(
    "href",
    `/training/${FINETUNE.job_id}`,
  );
  expect(second?.getAllByText("Not yet")).toHaveLength(3);
  expect(screen.getByText(/the student drives, 4 of 12 tasks/)).toBeVisible();
  expect(
    screen.getByText(/minute learns to do 12 tasks as math.*At most 500 labels/),
  ).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Cancel" }));
  expect(cancelled.requests).toHaveLength(1);
});

test("a form starts one; what is missing is said", async () => {
  const started = record("post", "/distillations", job({ kind: "distillation" }), 202);
  server.use(started.handler, answer("post", "/distillations/check", { task_count: 5 }));
  const element = <TrainingPage />;
  const at = "/training?tab=distillations&new=distillation&q=dataset:math-train";
  const { user, address } = renderScreen({ path: "/training", element, at });

  expect(await screen.findByText("Give it a name.")).toBeInTheDocument();
  await user.type(screen.getByRole("textbox", { name: "Name" }), "student");
  expect(screen.getByText("Choose an agent.")).toBeInTheDocument();
  await user.click(screen.getByRole("combobox", { name: "Agent" }));
  await user.click(await screen.findByRole("option", { name: "math" }));
  await user.type(screen.getByRole("textbox", { name: "Max labels" }), "500");
  await user.clear(screen.getByRole("textbox", { name: "Mixing" }));
  await user.type(screen.getByRole("textbox", { name: "Mixing" }), "50");
  expect(screen.getByText("The teacher runs 100 %, 50 %, 25 % of the tasks.")).toBeVisible();
  await user.type(screen.getByRole("textbox", { name: "Epochs" }), "2");
  const button = screen.getByRole("button", { name: "Start distillation" });
  await waitFor(() => expect(button).toBeEnabled());
  await user.click(button);

  expect(started.requests[0]?.body).toEqual({
    name: "student",
    q: "dataset:math-train",
    agent_version_id: uuid(41),
    base: "minute",
    rounds: 3,
    mixing: 0.5,
    budget: { labels: 500 },
    preset: "tiny",
    options: { epochs: 2 },
    max_turns: 20,
    held_out_share: 0.1,
    seed: 0,
  });
  expect(address()).toBe(`/training/distillations/${uuid(100)}`);
});

test("the shares of the teacher begin with all, or go on from a student", () => {
  const draft = { ...EMPTY_DISTILLATION, rounds: 5, mixing: 0 };

  expect(describeMixing(draft)).toBe("The teacher runs 100 %, 0 %, 0 %, 0 %, … of the tasks.");
  expect(describeMixing({ ...draft, rounds: 2, mixing: 50, adapterId: uuid(1) })).toBe(
    "The teacher runs 50 %, 25 % of the tasks.",
  );
  expect(describeMixing({ ...draft, rounds: "" })).toBe("");
});
