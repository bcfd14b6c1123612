import { screen, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";

import { ADAPTER, FINETUNE, serveTraining, SET } from "@/features/training/testing";
import { TrainingPage } from "@/features/training/TrainingPage";
import { answer, record, refuse } from "@/testing/answers";
import { uuid } from "@/testing/builders";
import { FakeSocket } from "@/testing/FakeSocket";
import { renderScreen } from "@/testing/render";
import { server } from "@/testing/server";

const AGENT = { id: uuid(1), name: "math", latest_version_id: uuid(2), latest_version: 1 };
const MOMENT = "2026-01-02T12:00:00Z";
const batch = (id: number, name: string) => ({
  id: uuid(id),
  name,
  tape_count: 8,
  error_count: 0,
  created_at: MOMENT,
});

beforeEach(() => {
  FakeSocket.install();
  serveTraining();
  server.use(
    answer("get", "/datasets/names", []),
    answer("get", "/batches", []),
    answer("get", "/reruns", { items: [] }),
    answer("get", "/agents", [AGENT]),
    answer("get", "/served-models", { items: [] }),
  );
});

function open() {
  return renderScreen({
    path: "/training",
    element: <TrainingPage />,
    at: "/training?tab=guide",
  });
}

const stepOf = async (name: RegExp) => within(await screen.findByRole("listitem", { name }));

test("the first step makes both parts of the problems, and only it can be pressed", async () => {
  const asked = record("post", "/datasets/word-problems", {}, 201);
  server.use(asked.handler);
  const { user } = open();

  const first = await stepOf(/^Make problems ?, next/);
  await user.clear(first.getByRole("textbox", { name: "Problems to learn from" }));
  await user.type(first.getByRole("textbox", { name: "Problems to learn from" }), "12");
  await user.click(first.getByRole("button", { name: "Make the problems" }));

  expect(asked.requests.map(({ body }) => body)).toEqual([
    { split: "train", count: 12, seed: 1, dataset: "" },
    { split: "test", count: 4, seed: 2, dataset: "" },
  ]);
  const later = await stepOf(/^Record the teacher ?, not yet/);
  expect(later.queryByRole("button")).toBeNull();
});

test("a refusal is told beside its button", async () => {
  server.use(refuse("post", "/datasets/word-problems", "The project already has that dataset."));
  const { user } = open();

  const first = await stepOf(/^Make problems/);
  await user.click(first.getByRole("button", { name: "Make the problems" }));

  expect(await first.findByRole("alert")).toHaveTextContent("already has that dataset");
});

test("the student is examined with its own model, then compared with its teacher", async () => {
  const datasets = ["math-train", "math-test"].map((name, at) => ({
    id: uuid(10 + at),
    name,
    has_tape: false,
  }));
  const served = {
    id: uuid(90),
    name: "keeper",
    adapter_id: ADAPTER.id,
    adapter_name: "keeper",
    base: "minute",
    server_id: uuid(91),
    model_id: uuid(92),
    state: "ready",
    message: "",
    parity: null,
    created_at: MOMENT,
  };
  const set = { ...SET, name: "math" };
  const teachers = [batch(20, "math-teacher"), batch(21, "math-teacher-exam")];
  server.use(
    answer("get", "/datasets/names", datasets),
    answer("get", "/batches", teachers),
    answer("get", "/training-sets", { items: [set], next: null }),
    answer("get", "/finetunes", { items: [FINETUNE], next: null }),
    answer("get", "/served-models", { items: [served] }),
    answer("post", "/tapes/count", { tape_count: 7 }),
  );
  const asked = record("post", "/reruns", {}, 202);
  server.use(asked.handler);
  const { user } = open();

  const last = await stepOf(/^Evaluate it ?, next/);
  await user.click(last.getByRole("button", { name: "Evaluate the student" }));
  expect(asked.requests.map(({ body }) => body)).toMatchObject([
    { q: "dataset:math-test", batch_name: "math-student-exam", model_id: served.model_id },
  ]);

  server.use(answer("get", "/batches", [...teachers, batch(22, "math-student-exam")]));
  const link = await screen.findByRole("link", { name: "Compare with teacher" }, { timeout: 8000 });
  expect(link).toHaveAttribute("href", `/batches/compare?a=${uuid(21)}&b=${uuid(22)}&by=task`);
});
