import { expect, test } from "vitest";

import {
  findBest,
  findWorst,
  groupBranches,
  sortBranches,
  verdictOf,
} from "@/features/tape-editor/run-n/branchTable";
import { describeSpark } from "@/features/tape-editor/run-n/KindSpark";
import { buildBranch, judgedBranch } from "@/features/tape-editor/run-n/testing";
import { patchedBy } from "@/features/tape-editor/run-n/useExperimentActions";

const NOW = new Date("2026-01-02T12:01:00Z");

test("equal outcomes stand together, the best verdict first", () => {
  const branches = [
    judgedBranch(0, false, { outcome: "24" }),
    judgedBranch(1, true, { outcome: "42" }),
    judgedBranch(2, true, { outcome: "forty-two" }),
    judgedBranch(3, true, { outcome: "42" }),
    buildBranch(4, { state: "running", finished_at: null }),
  ];

  const groups = groupBranches(branches, "outcome");

  expect(groups.map(({ label, outcome }) => [label, outcome])).toEqual([
    ["Passed", "42"],
    ["Passed", ""],
    ["Did not pass", ""],
    ["Running", ""],
  ]);
  expect(groups[0]?.branches.map(({ number }) => number)).toEqual([1, 3]);
});

test("a branch that ran out of budget is not one that did not pass", () => {
  expect(verdictOf(buildBranch(0, { state: "out_of_budget" }))).toBe("out_of_budget");
  expect(verdictOf(buildBranch(0, { state: "failed" }))).toBe("broken");
  expect(verdictOf(buildBranch(0))).toBe("unjudged");
});

test("what is not known comes last both ways", () => {
  const branches = [
    buildBranch(0),
    judgedBranch(1, true, { score: 0.9 }),
    judgedBranch(2, false, { score: 0.1 }),
  ];
  const order = (isDescending: boolean) =>
    sortBranches(branches, { key: "score", isDescending }, NOW).map(({ number }) => number);

  expect(order(true)).toEqual([1, 2, 0]);
  expect(order(false)).toEqual([2, 1, 0]);
});

test("the best is the cheapest of those that score most, its rival of the same arm", () => {
  const branches = [
    judgedBranch(0, true, { arm: "edited", cost_micro_usd: 9 }),
    judgedBranch(1, true, { arm: "edited", cost_micro_usd: 3 }),
    judgedBranch(2, false, { arm: "edited" }),
    judgedBranch(3, false, { arm: "original" }),
    buildBranch(4, { state: "out_of_budget" }),
  ];

  const best = findBest(branches);

  expect(best?.number).toBe(1);
  expect(best === undefined ? null : findWorst(branches, best)?.number).toBe(2);
});

test("branches that say the same make no pair", () => {
  const branches = [
    judgedBranch(0, true, { outcome: "42" }),
    judgedBranch(1, false, { outcome: "42" }),
  ];

  const best = findBest(branches);

  expect(best === undefined ? null : findWorst(branches, best)).toBeUndefined();
  expect(findBest([buildBranch(0)])).toBeUndefined();
});

test("a judgement by hand shows at once and can be taken back", () => {
  const passed = patchedBy({ passed: true })(buildBranch(0));

  expect(passed).toMatchObject({ passed: true, score: 1, judged_as: "person" });
  expect(patchedBy({ passed: null })(passed)).toMatchObject({ passed: null, score: null });
  expect(patchedBy({ is_pinned: true })(passed)).toMatchObject({ passed: true, is_pinned: true });
});

test("a spark is told in words", () => {
  expect(describeSpark("ttae")).toBe("2 thought, 1 action, 1 error");
});
