import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";

import type { SuiteReport } from "@/api/types";
import { SuitePage } from "@/features/evaluation/SuitePage";
import { SuitesPage } from "@/features/evaluation/SuitesPage";
import { answer, record } from "@/testing/answers";
import { agentRow, job, session, uuid } from "@/testing/builders";
import { renderScreen } from "@/testing/render";
import { server } from "@/testing/server";

const RUN = {
  id: uuid(51),
  name: "smoke, run 1 A1",
  agent: "chat v1",
  created_at: "2026-01-02T12:00:00Z",
  passed_count: 1,
  failed_count: 1,
  missing_count: 1,
  going_count: 0,
};

const SUITE = {
  id: uuid(50),
  name: "smoke",
  description: "",
  created_at: "2026-01-02T12:00:00Z",
  test_count: 3,
  task_count: 0,
  last_run: RUN,
};

function suiteTest(number: number, result: "pass" | "fail" | "missing", reason: string) {
  return {
    tape_id: uuid(number),
    name: `test ${number}`,
    made_of: uuid(90),
    agent_name: "chat",
    kept_count: 4,
    check: { kind: "contains" as const, text: "km", ignores_case: true },
    words: "The final text contains 'km'.",
    results: [{ run_id: RUN.id, tape_id: uuid(number + 20), result, reason }],
  };
}

const REPORT: SuiteReport = {
  suite: SUITE,
  tests: [
    suiteTest(61, "pass", ""),
    suiteTest(62, "fail", "Not true: the final text contains 'km'."),
    suiteTest(63, "missing", "The budget was used up before its run had ended."),
  ],
  runs: [RUN],
};

beforeEach(() => {
  server.use(
    answer("get", "/session", session()),
    answer("get", "/agents", [agentRow({ name: "chat", latest_version_id: uuid(41) })]),
    answer("get", "/models", []),
  );
});

function openSuite(report = REPORT) {
  server.use(answer("get", `/suites/${SUITE.id}`, report));
  return renderScreen({
    path: "/evaluation/suites/:suiteId",
    element: <SuitePage />,
    at: `/evaluation/suites/${SUITE.id}`,
  });
}

test("the list says what the newest run of each suite came to", async () => {
  server.use(answer("get", "/suites", { items: [SUITE], next: null }));
  renderScreen({ path: "/evaluation/suites", element: <SuitesPage />, at: "/evaluation/suites" });

  const row = await screen.findByRole("row", { name: /smoke/ });

  expect(row).toHaveTextContent("1 passed, 1 failed, 1 missing");
  expect(within(row).getByText("chat v1")).toBeVisible();
});

test("without a suite it says how to make the first test", async () => {
  server.use(answer("get", "/suites", { items: [], next: null }));
  renderScreen({ path: "/evaluation/suites", element: <SuitesPage />, at: "/evaluation/suites" });

  expect(await screen.findByText(/Open a tape that failed/)).toBeVisible();
  expect(screen.getByRole("link", { name: "Show tapes that failed" })).toBeVisible();
});

test("each mark says what came and opens its tape, and missing is a word of its own", async () => {
  openSuite();

  const failed = await screen.findByRole("link", { name: "Failed" });

  expect(failed).toHaveAttribute("href", `/t/${uuid(82)}`);
  expect(failed).toHaveAttribute("title", "Failed: Not true: the final text contains 'km'.");
  expect(screen.getByRole("link", { name: "Missing" })).toHaveAttribute("href", `/t/${uuid(83)}`);
  expect(screen.getByRole("link", { name: "Passed" })).toBeVisible();
});

test("all tests are run by their own agent unless another is chosen", async () => {
  const started = record("post", `/suites/${SUITE.id}/run`, job(), 202);
  server.use(started.handler, answer("get", `/jobs/${job().id}`, job()));
  const { user } = openSuite();

  await user.click(await screen.findByRole("button", { name: "Run all tests" }));

  await waitFor(() => expect(started.requests).toHaveLength(1));
  expect(started.requests[0]?.body).toMatchObject({
    agent_version_ids: [],
    model_ids: [null],
    repeats: 1,
  });
});

test("what passes a test is changed, also into several constraints", async () => {
  const changes = record("put", `/tapes/${uuid(62)}/regression-test`, null, 204);
  server.use(changes.handler);
  const { user } = openSuite();

  await user.click(await screen.findByRole("button", { name: "Edit pass criterion test 62" }));
  const dialog = await screen.findByRole("dialog", { name: "Pass criterion" });
  await user.click(within(dialog).getByRole("combobox", { name: "Pass criterion" }));
  await user.click(await screen.findByRole("option", { name: "Several constraints are met" }));
  expect(within(dialog).getByText("Add a constraint.")).toBeVisible();
  await user.click(within(dialog).getByRole("button", { name: "Add a constraint" }));
  await user.type(within(dialog).getByRole("textbox", { name: "Name of constraint 1" }), "unit");
  await user.type(within(dialog).getByRole("textbox", { name: "Text" }), "km");
  await user.click(within(dialog).getByRole("button", { name: "Save" }));

  await waitFor(() => expect(changes.requests).toHaveLength(1));
  const check = { kind: "contains", text: "km", ignores_case: true };
  expect(changes.requests[0]?.body).toEqual({
    check: { kind: "constraints", constraints: [{ name: "unit", weight: 1, check }] },
  });
});

test("checkpoints have weights, and may be asked of the end alone", async () => {
  const changes = record("put", `/tapes/${uuid(62)}/regression-test`, null, 204);
  server.use(changes.handler);
  const { user } = openSuite();

  await user.click(await screen.findByRole("button", { name: "Edit pass criterion test 62" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Pass criterion" }));
  await user.click(dialog.getByRole("combobox", { name: "Pass criterion" }));
  await user.click(await screen.findByRole("option", { name: "Checkpoints are met in order" }));
  await user.click(dialog.getByRole("button", { name: "Add a checkpoint" }));
  await user.type(dialog.getByRole("textbox", { name: "Name of checkpoint 1" }), "unit");
  await user.type(dialog.getByRole("textbox", { name: "Text" }), "km");
  const weight = dialog.getByRole("textbox", { name: "Weight of checkpoint 1" });
  await user.clear(weight);
  expect(dialog.getByText("Enter weights above 0.")).toBeVisible();
  await user.type(weight, "3");
  await user.click(dialog.getByRole("checkbox", { name: "At the end" }));
  await user.click(dialog.getByRole("button", { name: "Save" }));

  await waitFor(() => expect(changes.requests).toHaveLength(1));
  const check = { kind: "contains", text: "km", ignores_case: true };
  expect(changes.requests[0]?.body).toEqual({
    check: { kind: "checkpoints", checkpoints: [{ name: "unit", weight: 3, at_end: true, check }] },
  });
});

test("a next-step test opens as what it is, and stays that when it is saved", async () => {
  const check = {
    kind: "next_step" as const,
    step_kind: "tool_calls",
    tools: ["search"],
    arguments: [{ query: "fox" }],
  };
  const changes = record("put", `/tapes/${uuid(62)}/regression-test`, null, 204);
  server.use(changes.handler);
  const [first] = REPORT.tests.slice(1);
  if (first === undefined) throw new Error("no test");
  const { user } = openSuite({ ...REPORT, tests: [{ ...first, check }] });

  await user.click(await screen.findByRole("button", { name: "Edit pass criterion test 62" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Pass criterion" }));
  expect(dialog.getByRole("combobox", { name: "Pass criterion" })).toHaveValue(
    "The next action is the recorded one",
  );
  expect(dialog.getByText(/search.*"query": "fox"/s)).toBeVisible();
  await user.click(dialog.getByRole("button", { name: "Save" }));

  await waitFor(() => expect(changes.requests).toHaveLength(1));
  expect(changes.requests[0]?.body).toEqual({ check });
});
