import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";

import type { DatasetScorer, DatasetVersion, VersionChanges } from "@/api/types";
import { DatasetPage } from "@/features/datasets/DatasetPage";
import { answer, record } from "@/testing/answers";
import { session, tapeRow, uuid } from "@/testing/builders";
import { renderScreen } from "@/testing/render";
import { server } from "@/testing/server";

const ID = uuid(60);
const DATASET = {
  id: ID,
  name: "exam",
  description: "",
  owner_name: "ada",
  created_at: "2026-01-02T12:00:00Z",
  updated_at: "2026-01-02T12:00:00Z",
  tape_count: 3,
  archived_count: 0,
  train_count: 0,
  validation_count: 0,
  test_count: 3,
  unsplit_count: 0,
  kept_count: 0,
  step_count: 3,
  tokens: 0,
  cost_micro_usd: 0,
  llm_call_count: 0,
  unpriced_call_count: 0,
};
const VERSION: DatasetVersion = {
  number: 1,
  content_hash: "abcdef0123456789",
  tape_count: 2,
  created_at: "2026-01-02T12:00:00Z",
};
const CHANGES: VersionChanges = {
  before: 1,
  after: null,
  added_count: 1,
  removed_count: 0,
  expected_count: 1,
  same_count: 1,
  tapes: [
    { tape_id: uuid(1), title: "new one", change: "added", before: "", after: "7" },
    { tape_id: uuid(2), title: "old one", change: "expected", before: "5", after: "6" },
  ],
};
const SCORER: DatasetScorer = {
  id: uuid(71),
  name: "Same",
  scorer: { kind: "equals", ignores_case: false },
  words: "The final text is the expected answer.",
  created_at: "2026-01-02T12:00:00Z",
};

beforeEach(() => {
  server.use(
    answer("get", "/session", session()),
    answer("get", `/datasets/${ID}`, DATASET),
    answer("get", `/datasets/${ID}/versions`, [VERSION]),
    answer("get", `/datasets/${ID}/versions/1/changes`, CHANGES),
    answer("get", `/datasets/${ID}/scorers`, [SCORER]),
    answer("get", "/models", []),
    answer("get", "/tapes", { items: [], next: null }),
  );
});

const open = () =>
  renderScreen({ path: "/datasets/:datasetId", at: `/datasets/${ID}`, element: <DatasetPage /> });

test("a version leads to its tapes and to a sweep over it, and says what changed since", async () => {
  open();

  const versions = within(await screen.findByRole("table", { name: "Versions" }));
  expect(versions.getByRole("link", { name: "2" })).toHaveAttribute(
    "href",
    "/tapes?q=dataset%3A%22exam%401%22",
  );
  expect(versions.getByRole("link", { name: "Evaluate on it" })).toHaveAttribute(
    "href",
    "/evaluation?new=sweep&q=dataset%3A%22exam%401%22",
  );
  const changed = within(await screen.findByRole("table", { name: "Changed tapes" }));
  expect(changed.getByRole("row", { name: /Expected answer changed old one 5 6/ })).toBeVisible();
  expect(screen.getByText(/1 added, 0 removed, 1 with a changed expected answer/)).toBeVisible();
});

test("a dataset shows its tasks; one opens its attempts, and a whole tape opens itself", async () => {
  const facts = { expected: "36", split: "test" } as const;
  const start = tapeRow({ id: uuid(1), title: "How many?", task: "t-1", agent_name: "", ...facts });
  const whole = tapeRow({ id: uuid(2), title: "A good one", task: "t-2", agent_name: "chat" });
  const listed = record("get", "/tapes", { items: [start, whole], next: null });
  server.use(listed.handler);
  open();

  const tasks = within(await screen.findByRole("table", { name: "Tasks" }));
  expect(listed.requests[0]?.url.searchParams.get("q")).toBe('dataset:"exam"');
  expect(tasks.getByRole("row", { name: "How many? 36 test" })).toBeVisible();
  const attempts = new URLSearchParams({ q: 'task:"t-1" -dataset:"exam"' }).toString();
  const to = (name: string) => tasks.getByRole("link", { name });
  expect(to("How many?")).toHaveAttribute("href", `/tapes?${attempts}`);
  expect(to("A good one")).toHaveAttribute("href", `/t/${uuid(2)}`);
  expect(screen.getByText("3 tapes: 3 for testing.")).toBeVisible();
});

test("a dataset is frozen by hand", async () => {
  const frozen = record("post", `/datasets/${ID}/versions`, VERSION, 201);
  server.use(frozen.handler);
  const { user } = open();

  await user.click(await screen.findByRole("button", { name: "Freeze" }));

  await waitFor(() => expect(frozen.requests).toHaveLength(1));
});

test("graders of OpenAI Evals are taken, and those that are not say why", async () => {
  const taken = record(
    "post",
    `/datasets/${ID}/scorers/openai-eval`,
    {
      made: [SCORER],
      graders: [
        {
          name: "Same",
          type: "string_check",
          scorer: SCORER.scorer,
          words: SCORER.words,
          problem: "",
        },
        { name: "Code", type: "python", scorer: null, words: "", problem: "code is not run here" },
      ],
    },
    201,
  );
  server.use(taken.handler);
  const { user } = open();

  await user.click(await screen.findByRole("button", { name: "Graders of OpenAI Evals" }));
  const dialog = within(await screen.findByRole("dialog"));
  const definition = new File(['[{"type": "python"}]'], "eval.json", { type: "application/json" });
  const input = document.querySelector<HTMLInputElement>("input[type=file][accept='.json']");
  if (input === null) throw new Error("There is no field for a file.");
  await user.upload(input, definition);
  await user.click(dialog.getByRole("button", { name: "Import graders" }));

  expect(await dialog.findByText(/not imported, code is not run here/)).toBeVisible();
  expect(taken.requests[0]?.body).toMatchObject({
    definition: { testing_criteria: [{ type: "python" }] },
    expected: "item.ground_truth",
  });
});
