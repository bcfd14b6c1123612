import { expect, test } from "vitest";

import type { DiffRow, OutlineRow } from "@/api/types";
import { describeDelta } from "@/features/tape-diff/DiffDeltas";
import { countChanges, listLines } from "@/features/tape-diff/diffLines";

function buildRow(position: number): OutlineRow {
  return {
    position,
    kind: "user",
    family: "observation",
    writer: "person",
    agent: "",
    node: "",
    prompt_id: "",
    lane: "",
    gist: "",
    is_error: false,
    is_own: true,
    call_id: null,
    input_tokens: null,
    cache_read_tokens: null,
    output_tokens: null,
    cost_micro_usd: null,
    duration_seconds: null,
  };
}

const rows: DiffRow[] = [
  { op: "equal", count: 2, left: buildRow(0), right: buildRow(0), fields: [] },
  { op: "changed", count: 1, left: buildRow(2), right: buildRow(2), fields: [] },
  { op: "inserted", count: 1, left: null, right: buildRow(3), fields: [] },
  { op: "equal", count: 1, left: buildRow(3), right: buildRow(4), fields: [] },
];
const outlines = {
  left: [0, 1, 2, 3].map(buildRow),
  right: [0, 1, 2, 3, 4].map(buildRow),
};

test("runs of equal steps fold to one line and changes are numbered", () => {
  const lines = listLines(rows, new Set(), outlines);

  expect(lines.map((line) => line.type)).toEqual(["fold", "change", "change", "fold"]);
  expect(lines.filter((line) => line.type === "change").map(({ number }) => number)).toEqual([
    0, 1,
  ]);
});

test("an opened run shows each of its steps on both sides", () => {
  const lines = listLines(rows, new Set(["0:0", "3:4"]), outlines);

  const equal = lines.filter((line) => line.type === "equal");
  expect(equal.map(({ left, right }) => [left.position, right.position])).toEqual([
    [0, 0],
    [1, 1],
    [3, 4],
  ]);
});

test("keys of lines are unique", () => {
  const keys = listLines(rows, new Set(["0:0", "3:4"]), outlines).map(({ key }) => key);

  expect(new Set(keys).size).toBe(keys.length);
});

test("changes are counted by kind", () => {
  expect(countChanges(rows)).toEqual({ changed: 1, moved: 0, removed: 0, inserted: 1 });
});

test.each([
  [5, 5, "±0"],
  [5, 8, "+3"],
  [8, 5, "−3"],
])("from %i to %i is %s", (one, other, text) => {
  expect(describeDelta(one, other, String)).toBe(text);
});
