import { expect, test } from "vitest";

import { buildOutline } from "@/api/outline";
import type { OutlineRow } from "@/api/types";
import { applyOperations, type Operation } from "@/features/tape-editor/draft";
import { findLanes } from "@/features/tape-editor/editor/lanes";
import { buildRow } from "@/features/tape-editor/testing/builders";
import { toColumns } from "@/testing/outline";

type Given = readonly [kind: string, lane?: string, agent?: string];

function lanesOf(steps: readonly Given[], operations: readonly Operation[] = []) {
  const rows = steps.map(([kind, lane = "", agent = ""], at): OutlineRow => {
    const family = kind === "ask" ? "action" : "thought";
    return buildRow(at, { kind, lane, agent: agent === "" ? "boss" : `boss/${agent}`, family });
  });
  const outline = buildOutline(rows.length, [{ columns: toColumns(rows), rows: [] }]);
  return findLanes(applyOperations(rows.length, operations), outline);
}

const told = ({ all }: ReturnType<typeof lanesOf>) =>
  all.map(({ path, member, first, last, count, state }) =>
    `${path} ${member} ${first}-${last} ${count} ${state}`.replace("  ", " "),
  );

test("a lane has the steps of one agent, however they are mixed with those of others", () => {
  const lanes = lanesOf([
    ["call_together"],
    ["think", "1", "a"],
    ["think", "2", "b"],
    ["respond", "1", "a"],
    ["ask", "3", "c"],
    ["respond", "2", "b"],
  ]);

  expect(told(lanes)).toEqual(["1 a 1-3 2 answered", "2 b 2-5 2 answered", "3 c 4-4 1 open"]);
  expect([0, 1, 4].map((at) => lanes.at(at)?.path)).toEqual([undefined, "1", "3"]);
  expect(lanes.around(3).map(({ column }) => column)).toEqual([0, 1, 2]);
  expect(lanes.around(0)).toEqual([]);
  expect(lanes.all.map(({ endsInAction }) => endsInAction)).toEqual([false, false, true]);
});

test("whoever has not answered at the join was cancelled, and the numbers begin anew", () => {
  const lanes = lanesOf([
    ["call_together"],
    ["respond", "2", "b"],
    ["think", "1", "a"],
    ["join"],
    ["call_together"],
    ["think", "1", "c"],
  ]);

  expect(told(lanes)).toEqual(["2 b 1-1 1 answered", "1 a 2-2 1 cancelled", "1 c 5-5 1 open"]);
  expect(new Set(lanes.all.map(({ key }) => key)).size).toBe(3);
});

test("a response of somebody whom the agent of the lane called is not its answer", () => {
  const lanes = lanesOf([["call_together"], ["call", "1", "a"], ["respond", "1", "a/helper"]]);

  expect(told(lanes)).toEqual(["1 a 1-2 2 open"]);
});

test("lanes below a lane belong to it, and end with its join", () => {
  const lanes = lanesOf([
    ["call_together"],
    ["call_together", "1", "a"],
    ["respond", "1/2", "a/y"],
    ["think", "1/1", "a/x"],
    ["think", "2", "b"],
    ["join", "1"],
    ["respond", "1", "a"],
  ]);

  expect(told(lanes)).toEqual([
    "1 a 1-6 5 answered",
    "1/2 y 2-2 1 answered",
    "1/1 x 3-3 1 cancelled",
    "2 b 4-4 1 open",
  ]);
  const outer = lanes.all[0];
  expect([1, 2, 3, 4, 6].map((at) => outer !== undefined && lanes.isIn(outer, at))).toEqual([
    true,
    true,
    true,
    false,
    true,
  ]);
});

test("an inserted step is in the lane that it is signed with", () => {
  const step = { kind: "think", metadata: { lane: "1" } };
  const lanes = lanesOf(
    [["call_together"], ["respond", "2", "b"]],
    [{ op: "insert", position: 1, step }],
  );

  expect(told(lanes)).toEqual(["1 1-1 1 open", "2 b 2-2 1 answered"]);
});

test("a tape without lanes has none", () => {
  expect(lanesOf([["user"], ["call"], ["respond"]]).all).toEqual([]);
});
