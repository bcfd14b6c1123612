import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";

import type { BatchMatrix, TaskPaths } from "@/api/types";
import { BatchesPage } from "@/features/batches/BatchesPage";
import { ComparePage } from "@/features/batches/ComparePage";
import { MatrixPage } from "@/features/batches/MatrixPage";
import { batchDiff, batchTape, batchTotals } from "@/features/batches/testing";
import { answer, record, refuse } from "@/testing/answers";
import { uuid } from "@/testing/builders";
import { renderScreen } from "@/testing/render";
import { server } from "@/testing/server";

const summary = (number: number, name: string) => ({
  id: uuid(number),
  name,
  created_at: "2026-01-02T12:00:00Z",
  tape_count: 2,
  error_count: 0,
  passed_count: 1,
  failed_count: 1,
  pass_rate: { value: 0.5, low: 0.09, high: 0.91, count: 2 },
  mean_score: null,
  tokens: 1200,
  cost_micro_usd: 100,
  llm_call_count: 4,
  unpriced_call_count: 0,
});

const SEARCH = {
  id: uuid(70),
  name: "the failed ones",
  is_shared: true,
  is_own: true,
  can_change: true,
  owner: "ada",
  look: { query: "q=outcome%3Afail", sort: "", columns: [], marks: [] },
  updated_at: "2026-01-02T12:00:00Z",
};

function openCompare(query = `?a=${uuid(50)}&b=${uuid(51)}`) {
  return renderScreen({
    path: "/batches/compare",
    element: <ComparePage />,
    at: `/batches/compare${query}`,
  });
}

beforeEach(() => server.use(answer("get", "/lenses", { items: [SEARCH] })));

test("two batches are chosen, the older one stands on the left", async () => {
  server.use(
    answer("get", "/batches/summaries", {
      items: [summary(51, "new run"), summary(50, "old run")],
      next: null,
    }),
  );
  const { user, address } = renderScreen({ path: "/batches", element: <BatchesPage /> });

  expect(await screen.findByRole("button", { name: "Compare" })).toBeDisabled();
  await user.click(await screen.findByRole("checkbox", { name: "Select new run" }));
  await user.click(screen.getByRole("checkbox", { name: "Select old run" }));
  expect(screen.getAllByText("50 % (9–91 %)")).toHaveLength(2);
  await user.click(screen.getByRole("button", { name: "Compare" }));

  await waitFor(() => expect(address()).toBe(`/batches/compare?a=${uuid(50)}&b=${uuid(51)}`));
});

test("a cost that nobody knows is never told as nothing", async () => {
  const unpriced = { cost_micro_usd: 0, unpriced_call_count: 4 };
  const items = [
    { ...summary(50, "local"), ...unpriced },
    { ...summary(51, "mixed"), unpriced_call_count: 1 },
  ];
  server.use(answer("get", "/batches/summaries", { items, next: null }));
  renderScreen({ path: "/batches", element: <BatchesPage /> });

  const row = (name: RegExp) => within(screen.getByRole("row", { name }));
  await screen.findByRole("link", { name: "local" });
  expect(row(/local/).getByText("unknown")).toBeVisible();
  expect(row(/mixed/).getByText("at least $0.0001")).toBeVisible();
});

test("a saved search stands beside a batch", async () => {
  server.use(answer("get", "/batches/summaries", { items: [summary(50, "old run")], next: null }));
  const { user, address } = renderScreen({ path: "/batches", element: <BatchesPage /> });

  await user.click(await screen.findByRole("checkbox", { name: "Select old run" }));
  await user.click(screen.getByRole("button", { name: "Saved searches" }));
  await user.click(await screen.findByRole("checkbox", { name: "the failed ones" }));
  expect(screen.getByText("2 selected")).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Compare", hidden: true }));

  await waitFor(() => expect(address()).toBe(`/batches/compare?a=${uuid(50)}&b=${uuid(70)}`));
});

test("all batches are chosen and let go; a saved search stays, and is no half of them", async () => {
  server.use(
    answer("get", "/batches/summaries", {
      items: [summary(51, "new run"), summary(50, "old run")],
      next: null,
    }),
  );
  const { user } = renderScreen({ path: "/batches", element: <BatchesPage /> });
  await user.click(await screen.findByRole("button", { name: "Saved searches" }));
  await user.click(await screen.findByRole("checkbox", { name: "the failed ones" }));
  const all = screen.getByRole("checkbox", { name: "Select all loaded rows", hidden: true });

  expect(all).not.toBePartiallyChecked();
  await user.click(all);
  expect(screen.getByText("3 selected")).toBeVisible();
  await user.click(screen.getByRole("checkbox", { name: "Select old run", hidden: true }));
  expect(all).toBePartiallyChecked();
  await user.click(all);
  await user.click(all);
  expect(screen.getByText("1 selected")).toBeVisible();
});

test("a project without batches says how to get one", async () => {
  server.use(answer("get", "/batches/summaries", { items: [], next: null }));
  renderScreen({ path: "/batches", element: <BatchesPage /> });

  expect(await screen.findByText("No batches yet")).toBeVisible();
  expect(screen.getByRole("link", { name: "Upload" })).toHaveAttribute("href", "/upload");
});

test("a comparison says who changed, by how much, where and who is left out", async () => {
  server.use(answer("get", "/batches/diff", batchDiff()));
  openCompare();

  expect(await screen.findByText("2 pairs, 1 equal, 1 unpaired")).toBeVisible();
  expect(screen.getByText("−50 points")).toBeVisible();
  expect(screen.getByText(/McNemar p = 1.0/)).toBeVisible();
  expect(
    within(screen.getByRole("table", { name: "Means over pairs" })).getByText("+0.5"),
  ).toBeVisible();
  expect(
    within(screen.getByRole("table", { name: "Where pairs diverge" })).getByText("bot.plan"),
  ).toBeVisible();
  expect(screen.getByText("Several tapes share its task")).toBeVisible();
  expect(screen.getByRole("row", { name: /First question Passed then Failed/ })).toBeVisible();
  expect(screen.getByRole("link", { name: "First question" })).toHaveAttribute(
    "href",
    `/t/${uuid(1)}/diff/${uuid(2)}`,
  );
});

test("a number of the table shows its pairs, and the address keeps it", async () => {
  server.use(answer("get", "/batches/diff", batchDiff()));
  const { user, address } = openCompare();

  await user.click(await screen.findByRole("button", { name: "Passed, then failed: 1" }));

  expect(screen.queryByRole("link", { name: "Second question" })).toBeNull();
  expect(address()).toContain("change=pass-fail");
  await user.click(screen.getByRole("button", { name: "Show all" }));
  expect(screen.getByRole("link", { name: "Second question" })).toBeVisible();
});

test("another key is asked for, and a wrong one is explained", async () => {
  const { handler, requests } = record("get", "/batches/diff", batchDiff());
  server.use(handler);
  const { user } = openCompare();
  const input = await screen.findByPlaceholderText("task or /metadata/…");
  await user.clear(input);
  await user.type(input, "/metadata/seed{Enter}");
  await waitFor(() => expect(requests.at(-1)?.url.searchParams.get("by")).toBe("/metadata/seed"));

  server.use(refuse("get", "/batches/diff", "Tapes cannot be paired by 'size'.", 422));
  const again = screen.getByPlaceholderText("task or /metadata/…");
  await user.clear(again);
  await user.type(again, "size{Enter}");

  expect(await screen.findByText("Tapes cannot be paired by 'size'.")).toBeVisible();
});

const sign = (kind: string, family: "thought" | "action" | "observation", node = "") => ({
  kind,
  family,
  node,
  gist: `words of ${kind}`,
  is_error: false,
});

const MATRIX: BatchMatrix = {
  by: "task",
  baseline: uuid(50),
  rows: [
    { totals: batchTotals(), pair_count: 0, pass_difference: null, p_value: null, differences: [] },
    {
      totals: batchTotals({ id: uuid(51), name: "new run" }),
      pair_count: 2,
      pass_difference: { value: 0.25, low: -0.1, high: 0.6, count: 2 },
      p_value: 0.5,
      differences: batchDiff().metrics,
    },
  ],
  tasks: [
    {
      key: "t1",
      title: "First question",
      cells: [
        { tape_id: uuid(1), tape_count: 1, passed_count: 1, failed_count: 0 },
        { tape_id: uuid(2), tape_count: 3, passed_count: 2, failed_count: 1 },
      ],
    },
  ],
  task_count: 1,
  keyless_count: 1,
};
const PATHS: TaskPaths = {
  key: "t1",
  rows: [
    {
      tape: batchTape({ id: uuid(1) }),
      batch_name: "old run",
      steps: [sign("user", "observation"), sign("assistant", "action", "answer")],
    },
    {
      tape: batchTape({ id: uuid(2), outcome: "fail" }),
      batch_name: "new run",
      steps: [
        sign("user", "observation"),
        sign("reasoning_thought", "thought", "plan"),
        sign("assistant", "action", "answer"),
      ],
    },
  ],
  columns: [
    { kind: "user", node: "", is_consensus: true, positions: [0, 0] },
    { kind: "reasoning_thought", node: "plan", is_consensus: false, positions: [null, 1] },
    { kind: "assistant", node: "answer", is_consensus: true, positions: [1, 2] },
  ],
  tape_count: 2,
  is_cut: false,
};

test("a matrix leads to a task, whose steps are gone through by arrows", async () => {
  const { handler, requests } = record("get", "/batches/matrix", MATRIX);
  server.use(handler, answer("get", "/batches/alignment", PATHS));
  const { user, address } = renderScreen({
    path: "/batches/matrix",
    element: <MatrixPage />,
    at: `/batches/matrix?ids=${uuid(50)},${uuid(51)}`,
  });

  expect(await screen.findByText("+25")).toBeVisible();
  expect(screen.getByText("2 of 3 passed")).toBeVisible();
  await user.click(screen.getByRole("radio", { name: "Baseline: new run" }));
  await waitFor(() => expect(requests.at(-1)?.url.searchParams.get("baseline")).toBe(uuid(51)));
  await user.click(screen.getByRole("button", { name: "First question" }));

  const steps = await screen.findByRole("table", { name: "Steps of the tapes on one axis" });
  const [first] = within(steps).getAllByRole("link", { name: "Step 0, user" });
  expect(first).toHaveAttribute("href", `/t/${uuid(1)}?step=0`);
  first?.focus();
  await user.keyboard("{ArrowDown}{ArrowRight}");
  expect(
    within(steps).getByRole("link", { name: "Step 1, reasoning_thought (plan)" }),
  ).toHaveFocus();
  await user.keyboard("{ArrowUp}");
  expect(within(steps).getAllByRole("link", { name: "Step 0, user" })[0]).toHaveFocus();
  expect(address()).toContain("task=t1");
});
