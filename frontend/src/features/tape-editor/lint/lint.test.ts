import { expect, test } from "vitest";

import { buildOutline } from "@/api/outline";
import type { Finding } from "@/api/types";
import { describeFinding } from "@/features/tape-editor/lint/FindingBadge";
import { groupFindings, settled } from "@/features/tape-editor/lint/LintProvider";
import { nextPlace } from "@/features/tape-editor/lint/LintSummary";
import { buildRow } from "@/features/tape-editor/testing/builders";
import { toColumns } from "@/testing/outline";

const found = (position: number, detector: string): Finding => ({
  position,
  detector,
  title: detector,
  severity: "info",
  field: "",
  message: "Something.",
});

test("the next finding is the one after the step, and after the last one the first", () => {
  expect(nextPlace([2, 5, 9], null, 1)).toBe(2);
  expect(nextPlace([2, 5, 9], 2, 1)).toBe(5);
  expect(nextPlace([2, 5, 9], 9, 1)).toBe(2);
  expect(nextPlace([2, 5, 9], 3, -1)).toBe(2);
  expect(nextPlace([2, 5, 9], 1, -1)).toBe(9);
  expect(nextPlace([], 1, 1)).toBeNull();
});

test("findings of one step come together in their order", () => {
  const groups = groupFindings([found(1, "a"), found(3, "b"), found(3, "c")]);

  expect([...groups.keys()]).toEqual([1, 3]);
  expect(groups.get(3)?.map(({ detector }) => detector)).toEqual(["b", "c"]);
});

test("what a rule found begins with the name of the rule", () => {
  const message = "Nothing came before this step.";
  const ofRule = { ...found(1, "rule:plan first"), title: "plan first", message };

  expect(describeFinding(ofRule)).toBe("plan first: Nothing came before this step.");
  expect(describeFinding({ ...ofRule, detector: "loop", title: "Loop" })).toBe(message);
});

test("while a run continues findings follow it up to its last action", () => {
  const families = ["action", "observation", "action"] as const;
  const rows = families.map((family, position) => buildRow(position, { family }));
  const outline = buildOutline(rows.length, [{ columns: toColumns(rows), rows: [] }]);

  const told = settled([found(0, "a"), found(1, "b"), found(2, "c")], outline);

  expect(told.map(({ detector }) => detector)).toEqual(["a", "b"]);
});
