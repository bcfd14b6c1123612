import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";

import type { Experiment } from "@/api/types";
import {
  buildArm,
  buildBranch,
  buildExperiment,
  buildGroup,
  judgedBranch,
} from "@/features/tape-editor/run-n/testing";
import { TapePage } from "@/features/tape-editor/TapePage";
import { buildTape, serveTape, TAPE } from "@/features/tape-editor/testing/page";
import { listenForKeys } from "@/lib/keys";
import { answer, record, refuse } from "@/testing/answers";
import { uuid } from "@/testing/builders";
import { FakeSocket } from "@/testing/FakeSocket";
import { renderScreen } from "@/testing/render";
import { server } from "@/testing/server";

const EXPERIMENT = uuid(500);
const PATH = `/experiments/${EXPERIMENT}`;

const EDITED = { arm: "edited", outcome: "It is 42." } as const;
const BRANCHES = [
  judgedBranch(0, false, { score: 0.2, step_count: 3, outcome: "It is 24.", reason: "no 42" }),
  judgedBranch(1, true, { ...EDITED, score: 0.8, step_count: 5 }),
  judgedBranch(2, true, { ...EDITED, score: 0.9, step_count: 9 }),
  buildBranch(3, { state: "out_of_budget", outcome: "", spark: "", step_count: 0 }),
  buildBranch(4, { ...EDITED, state: "failed", message: "The provider said no.", step_count: 1 }),
];
const SUMMARY: Experiment["summary"] = {
  arms: [
    buildArm("original", buildGroup(0, 1)),
    buildArm("edited", buildGroup(2, 2), {
      difference: { value: 1, low: -0.1, high: 1, count: 3 },
      score_difference: { value: 0.6, low: 0.25, high: 0.95, count: 2 },
    }),
  ],
  finding:
    "The edit passes 2 of 2, the baseline 0 of 1: only 90 % sure that it is better; run more.",
  best: "edited",
  conditions: [],
  curve: [],
  is_paired: false,
};

const CHECK: Experiment["check"] = { kind: "contains", text: "42", ignores_case: false };

function serve(...branches: Experiment["branches"]) {
  const experiment = buildExperiment(branches, {
    summary: SUMMARY,
    check: CHECK,
    budget: { tokens: 100, micro_usd: null, seconds: null },
    spent: { tokens: 100, micro_usd: 0 },
  });
  experiment.row.stopped_reason = "The budget of 100 tokens is used up.";
  server.use(answer("get", PATH, experiment));
}

function open(what = EXPERIMENT) {
  serveTape(buildTape());
  server.use(answer("get", `/tapes/${TAPE}/experiments`, []));
  return renderScreen({
    path: "/t/:tapeId",
    element: <TapePage />,
    at: `/t/${TAPE}?n=${what}`,
  });
}

const table = () => screen.findByRole("table", { name: "Branches" });

/** The numbers of the branches from above to below. */
const order = async () =>
  within(await table())
    .getAllByRole("link", { name: /^Open branch/ })
    .map(({ textContent }) => textContent);

beforeEach(() => {
  FakeSocket.install();
  return listenForKeys();
});

test("branches stand in groups of what came of them; a budget that ran out is no failure", async () => {
  serve(...BRANCHES);
  open();

  const groups = within(await table()).getAllByRole("rowheader", { name: /^(?!Open)/ });

  expect(groups.map(({ textContent }) => textContent)).toEqual([
    "Passed2It is 42.",
    "Did not pass1",
    "Run failed1",
    "Out of budget1",
  ]);
  expect(await order()).toEqual(["1", "2", "0", "4", "3"]);
  expect(screen.getByText("The provider said no.")).toBeVisible();
  expect(screen.getByText("The budget of 100 tokens is used up.")).toBeVisible();
  expect(screen.getByRole("button", { name: "Retry 2" })).toBeVisible();
});

test("a branch in which nothing was done says why it is not judged, and is not retried", async () => {
  const reason =
    "Not judged: the agent had nothing to do from this step. Run from an earlier step.";
  serve(buildBranch(0, { step_count: 0, spark: "", last_kind: "", outcome: "", reason }));
  open();

  expect(await screen.findByText(reason)).toBeVisible();
  expect(screen.queryByRole("button", { name: /^Retry/ })).not.toBeInTheDocument();
});

test("both arms are bars with intervals, and the edit is said to win only where that is clear", async () => {
  serve(...BRANCHES);
  open();

  expect(await screen.findByRole("img", { name: /^As edited: 100 % pass, between/ })).toBeVisible();
  expect(screen.getByRole("img", { name: /^As recorded: 0 % pass, between/ })).toBeVisible();
  const claims = screen.getAllByText(/^With the edit/);
  expect(claims.map(({ textContent }) => textContent)).toEqual([
    "With the edit +100 points (−10 to +100, 95 %): not significant.",
    "With the edit +0.60 in score (+0.25 to +0.95, 95 %).",
  ]);
});

test("a column sorts the branches, a second click the other way, the unknown last", async () => {
  serve(...BRANCHES);
  const { user } = open();
  await user.click(await screen.findByText("No grouping"));
  const head = within(await table()).getByRole("button", { name: "Score" });

  await user.click(head);
  expect(await order()).toEqual(["0", "1", "2", "3", "4"]);
  await user.click(head);
  expect(await order()).toEqual(["2", "1", "0", "3", "4"]);
  expect(within(await table()).getByRole("columnheader", { name: "Score" })).toHaveAttribute(
    "aria-sort",
    "descending",
  );
});

test("the winner is pinned by its key and goes into the training set", async () => {
  serve(...BRANCHES);
  const pinned = record("patch", `${PATH}/branches/2`, BRANCHES[2] ?? {});
  const labelled = record("post", `${PATH}/labels`, null, 204);
  server.use(pinned.handler, labelled.handler);
  const { user } = open();
  await table();

  await user.keyboard("jjp");
  await user.click(screen.getByRole("button", { name: "Best" }));
  await user.click(await screen.findByText("Best (branch 2) to the training set"));

  expect(await screen.findByText("Branch 2 is labeled for the training set.")).toBeVisible();
  expect(pinned.requests.map(({ body }) => body)).toEqual([{ is_pinned: true }]);
  expect(labelled.requests.map(({ body }) => body)).toEqual([
    { name: "training_set", best: 2, worst: null },
  ]);
});

test("a person's word on a branch is sent, and what the server refuses is taken back", async () => {
  serve(...BRANCHES);
  server.use(refuse("patch", `${PATH}/branches/0`, "You may look, not judge.", 403));
  const { user } = open();

  await user.click(await screen.findByRole("button", { name: "Did not pass; judge branch 0" }));

  expect(await screen.findByText("You may look, not judge.")).toBeVisible();
  expect(await screen.findByRole("button", { name: "Did not pass; judge branch 0" })).toBeVisible();
});

test("a tape without experiments says what to do and does it", async () => {
  const { user, address } = open("all");

  await user.click(await screen.findByRole("button", { name: "Run N times" }));

  expect(address()).toContain("n=new");
});

test("an experiment that cannot be read says why and is asked for again", async () => {
  server.use(refuse("get", PATH, "Experiment not found.", 404));
  const { user } = open();
  expect(await screen.findByText("Experiment not found.")).toBeVisible();

  serve(...BRANCHES);
  const panel = within(screen.getByRole("region", { name: "Run N" }));
  await user.click(panel.getByRole("button", { name: "Try again" }));

  expect(await table()).toBeVisible();
});

test("the answer stands on top, and a key keeps the best branch of the winner", async () => {
  serve(...BRANCHES);
  const changed = record("patch", `${PATH}/branches/2`, BRANCHES[2] ?? null);
  server.use(changed.handler);
  const { user } = open();

  expect(await screen.findByText(/^The edit passes 2 of 2/)).toBeVisible();
  await table();
  await user.keyboard("w");

  expect(await screen.findByText(/^Branch 2 of As edited is pinned/)).toBeVisible();
  await waitFor(() =>
    expect(changed.requests.map(({ body }) => body)).toEqual([{ is_pinned: true }]),
  );
});
