import { expect, test } from "vitest";

import type { Finding } from "@/api/types";
import { describeFinding } from "@/features/tape-editor/lint/FindingBadge";
import { groupFindings } from "@/features/tape-editor/lint/LintProvider";
import { nextPlace } from "@/features/tape-editor/lint/LintSummary";

test("the next finding is the one after the step, and after the last one the first", () => {
  expect(nextPlace([2, 5, 9], null, 1)).toBe(2);
  expect(nextPlace([2, 5, 9], 2, 1)).toBe(5);
  expect(nextPlace([2, 5, 9], 9, 1)).toBe(2);
  expect(nextPlace([2, 5, 9], 3, -1)).toBe(2);
  expect(nextPlace([2, 5, 9], 1, -1)).toBe(9);
  expect(nextPlace([], 1, 1)).toBeNull();
});

test("findings of one step come together in their order", () => {
  const found = (position: number, detector: string): Finding => ({
    position,
    detector,
    title: detector,
    severity: "info",
    field: "",
    message: "Something.",
  });

  const groups = groupFindings([found(1, "a"), found(3, "b"), found(3, "c")]);

  expect([...groups.keys()]).toEqual([1, 3]);
  expect(groups.get(3)?.map(({ detector }) => detector)).toEqual(["b", "c"]);
});

test("what a rule found begins with the name of the rule", () => {
  const found: Finding = {
    position: 1,
    detector: "rule:plan first",
    title: "plan first",
    severity: "warning",
    field: "",
    message: "Nothing came before this step.",
  };

  expect(describeFinding(found)).toBe("plan first: Nothing came before this step.");
  expect(describeFinding({ ...found, detector: "loop", title: "Loop" })).toBe(found.message);
});
