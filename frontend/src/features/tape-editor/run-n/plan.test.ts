import { expect, test } from "vitest";

import { AS_AGENT } from "@/features/tape-editor/choice";
import {
  countRuns,
  findProblem,
  firstPlan,
  keptCounts,
  type Plan,
  toRequest,
} from "@/features/tape-editor/run-n/plan";
import { firstCheck, fromCheck, NO_CHECK, toCheck } from "@/features/checks";
import { DEFAULT_CHOICE } from "@/features/tape-editor/choice";
import { uuid } from "@/testing/builders";

function plan(part: Partial<Plan> = {}): Plan {
  const beginning = { step: 3, stepCount: 10, fixes: [], expected: "", count: null };
  return { ...firstPlan({ ...beginning, choice: DEFAULT_CHOICE }), ...part };
}

test("without a draft it is the recorded tape, five times from the chosen step", () => {
  const request = toRequest(plan(), DEFAULT_CHOICE, uuid(9));

  expect(countRuns(plan())).toBe(5);
  expect(request).toMatchObject({ arms: ["original"], at: [4], repeats: 5, model_ids: [null] });
  expect(request.check).toBeNull();
});

test("fixes and the baseline run from where the edits stand", () => {
  const both = plan({ fixes: ["A", "C"] });
  const request = toRequest(both, DEFAULT_CHOICE, uuid(9));

  expect(countRuns(both)).toBe(15);
  expect(request).toMatchObject({ arms: ["original", "A", "C"], at: null });
});

test("a range of steps keeps a prefix for each", () => {
  const range = plan({ isRange: true, step: 1, lastStep: 8, every: 3, repeats: 2 });

  expect(keptCounts(range)).toEqual([2, 5, 8]);
  expect(countRuns(range)).toBe(6);
  expect(findProblem({ ...range, lastStep: 0 })).toMatch(/ends before it starts/);
});

test("models, temperatures and repeats multiply, up to a limit", () => {
  const many = plan({ modelIds: [AS_AGENT, uuid(1)], temperatures: ["0", "0,7"], repeats: 50 });

  expect(countRuns(many)).toBe(200);
  expect(findProblem(many)).toBe("");
  expect(findProblem({ ...many, repeats: 51 })).toMatch(/204 runs; the limit is 200 at once/);
  expect(toRequest(many, DEFAULT_CHOICE, uuid(9)).temperatures).toEqual([0, 0.7]);
});

test.each([
  [{ hasOriginal: false }, /recorded tape/],
  [{ modelIds: [] }, /at least one model/],
  [{ temperatures: ["warm"] }, /is not a temperature/],
  [{ temperatures: ["3"] }, /is not a temperature/],
  [{ check: { ...NO_CHECK, kind: "regex" as const } }, /pattern/],
  [{ check: { ...NO_CHECK, kind: "judge" as const } }, /judge model/],
])("%o cannot start and says why", (part, said) => {
  expect(findProblem(plan(part))).toMatch(said);
});

test("the temperature of the run bar does not hide those of the plan", () => {
  const choice = { ...DEFAULT_CHOICE, temperature: 0.5, topP: 0.9 };
  const first = firstPlan({ step: 0, stepCount: 1, fixes: [], expected: "", count: 3, choice });
  const request = toRequest(first, choice, uuid(9));

  expect(request.temperatures).toEqual([0.5]);
  expect(request.parameters).toEqual({ top_p: 0.9 });
  expect(request.repeats).toBe(3);
});

test("a budget is sent in the server's units", () => {
  const request = toRequest(plan({ budgetDollars: 0.25, budgetMinutes: 2 }), DEFAULT_CHOICE, "v");

  expect(request.budget).toEqual({ tokens: null, micro_usd: 250_000, seconds: 120 });
});

test("a stored check can be typed again", () => {
  const judge = { ...NO_CHECK, kind: "judge" as const, judgeId: "m", rubric: "r", passScore: 0.8 };
  const text = { ...NO_CHECK, kind: "equals" as const, text: "42", ignoresCase: false };

  expect(fromCheck(toCheck(judge))).toEqual(judge);
  expect(fromCheck(toCheck(text))).toEqual(text);
  expect(fromCheck(null)).toEqual(NO_CHECK);
});

test.each([
  ["$36.00", { kind: "number", value: 36, within: 0 }],
  ["1,234.5", { kind: "number", value: 1234.5, within: 0 }],
  ["Paris", { kind: "contains", text: "Paris", ignores_case: true }],
  ["", null],
  ["a long answer that may be right in many other words than just these ones", null],
])("the expected answer %j fills in what passes", (expected, check) => {
  expect(toCheck(firstCheck(expected))).toEqual(check);
});

test("a number that is typed is read or refused", () => {
  const typed = firstCheck("36");

  expect(findProblem(plan({ check: { ...typed, number: "many" } }))).toMatch(/Enter the number/);
  expect(findProblem(plan({ check: { ...typed, within: "-1" } }))).toMatch(/how far off/);
  expect(toCheck({ ...typed, within: "0.5" })).toMatchObject({ value: 36, within: 0.5 });
});
