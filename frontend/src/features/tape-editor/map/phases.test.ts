import { expect, test } from "vitest";

import { buildOutline } from "@/api/outline";
import type { OutlineRow } from "@/api/types";
import { applyOperations } from "@/features/tape-editor/draft";
import { allLines, linesOf } from "@/features/tape-editor/map/find";
import { findPhases, outlineRows } from "@/features/tape-editor/map/phases";
import { buildRow } from "@/features/tape-editor/testing/builders";
import { toColumns } from "@/testing/outline";

function phasesOf(authors: readonly Author[]) {
  const rows = authors.map(([agent, node], at): OutlineRow => buildRow(at, { agent, node }));
  const outline = buildOutline(rows.length, [{ columns: toColumns(rows), rows: [] }]);
  return findPhases(applyOperations(rows.length, []), outline);
}

type Author = readonly [agent: string, node: string];

const times = (count: number, ...items: Author[]): Author[] =>
  Array.from({ length: count }, () => items).flat();

const told = (phases: ReturnType<typeof phasesOf>) =>
  phases.map(({ name, start, end }) => `${name} ${start}-${end - 1}`);

test("a team's tape has a phase for each member's turn; observations belong to it", () => {
  const boss: Author = ["boss", "plan"];
  const helper: Author = ["boss/helper", "look"];
  const seen: Author = ["", ""];

  const phases = phasesOf([
    seen,
    ...times(10, boss),
    ...times(10, helper, seen),
    ...times(10, boss),
  ]);

  expect(told(phases)).toEqual(["boss 0-10", "helper 11-30", "boss 31-40"]);
});

test("one agent alone has a phase for each stretch of a node, if stretches are not too short", () => {
  const plan: Author = ["solo", "plan"];
  const act: Author = ["solo", "act"];

  expect(told(phasesOf([...times(5, plan), ...times(40, act)]))).toEqual(["plan 0-4", "act 5-44"]);
  expect(phasesOf(times(30, plan, act))).toEqual([]);
  expect(phasesOf(times(50, act))).toEqual([]);
  expect(phasesOf([...times(5, plan), ...times(35, act)])).toEqual([]);
});

test("rows are the steps with a phase above its first, and a phase alone where it is folded", () => {
  const phases = [
    { key: "a", name: "a", start: 0, end: 2 },
    { key: "b", name: "b", start: 2, end: 4 },
    { key: "c", name: "c", start: 4, end: 6 },
  ];
  const open = outlineRows(allLines(6), phases);
  const folded = outlineRows(
    linesOf(6, (index) => index < 2 || index > 3),
    phases,
  );
  const drawn = ({ length, at }: typeof open) =>
    Array.from({ length }, (_, row) => at(row)).map((row) =>
      typeof row === "object" ? row.name : row,
    );

  expect(drawn(open)).toEqual(["a", 0, 1, "b", 2, 3, "c", 4, 5]);
  expect(drawn(folded)).toEqual(["a", 0, 1, "b", "c", 4, 5]);
  expect([open.rowOf(0), open.rowOf(3), open.rowOf(4)]).toEqual([1, 5, 7]);
  expect([folded.rowOf(1), folded.rowOf(3), folded.rowOf(4)]).toEqual([2, 3, 5]);
});
