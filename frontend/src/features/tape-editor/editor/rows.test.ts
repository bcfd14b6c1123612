import { expect, test } from "vitest";

import { buildOutline, OUTLINE_PAGE } from "@/api/outline";
import type { OutlineRow } from "@/api/types";
import {
  applyOperations,
  firstEdited,
  type Operation,
  resumePoint,
  type Slot,
} from "@/features/tape-editor/draft";
import { buildSteps, type Steps, sumRun } from "@/features/tape-editor/editor/rows";
import { buildRow } from "@/features/tape-editor/testing/builders";
import { toColumns } from "@/testing/outline";

const NO_EDITS = { editedAt: null, resumeAt: null };
const observation = { agent: "", node: "", prompt_id: "", family: "observation" as const };

function read(rows: readonly OutlineRow[]) {
  const starts = Array.from({ length: Math.ceil(rows.length / OUTLINE_PAGE) }, (_, at) => at);
  const pages = starts.map((at) => ({
    columns: toColumns(rows, at * OUTLINE_PAGE, OUTLINE_PAGE),
    rows: [],
  }));
  return buildOutline(rows.length, pages);
}

function stepsOf(rows: readonly OutlineRow[], operations: readonly Operation[] = []): Steps {
  const slots = applyOperations(rows.length, operations);
  return buildSteps(slots, read(rows), edits(slots, rows.length));
}

function edits(slots: readonly Slot[], stepCount: number) {
  return { editedAt: firstEdited(slots, stepCount), resumeAt: resumePoint(slots, stepCount) };
}

/** What a reader sees from top to bottom. */
function drawn(steps: Steps): string[] {
  const seen: string[] = [];
  for (let index = 0; index <= steps.length; index += 1) {
    const removed = steps.removedAt(index);
    if (removed !== null) seen.push(`removed ${removed.from}-${removed.to}`);
    const run = steps.runAt(index);
    if (run !== null) seen.push(`run ${run.agent}.${run.node}`);
    const row = steps.at(index);
    if (row !== undefined) seen.push(`${row.index}${row.isInRun ? " in run" : ""}`);
  }
  return seen;
}

test("steps of one node run stand below one header, observations alone", () => {
  const steps = stepsOf([
    buildRow(0, observation),
    buildRow(1, { prompt_id: "a" }),
    buildRow(2, { prompt_id: "a" }),
    buildRow(3, { prompt_id: "b" }),
    buildRow(4, observation),
  ]);

  expect(drawn(steps)).toEqual([
    "0",
    "run chat.answer",
    "1 in run",
    "2 in run",
    "run chat.answer",
    "3 in run",
    "4",
  ]);
  expect([steps.runEnd(1), steps.runEnd(3)]).toEqual([3, 4]);
});

test("without prompt ids a change of agent or node begins a new run", () => {
  const steps = stepsOf([
    buildRow(0, { prompt_id: "" }),
    buildRow(1, { prompt_id: "" }),
    buildRow(2, { prompt_id: "", node: "other" }),
  ]);

  expect([0, 1, 2].map(steps.beginsRun)).toEqual([true, false, true]);
});

test("a thought that a person inserts belongs to the run around it, an observation ends it", () => {
  const rows = [0, 1].map((at) => buildRow(at, { prompt_id: "a" }));
  const insert = (kind: string) => [{ op: "insert" as const, position: 1, step: { kind } }];

  expect(drawn(stepsOf(rows, insert("assistant_thought")))).toEqual([
    "run chat.answer",
    "0 in run",
    "1 in run",
    "2 in run",
  ]);
  expect(drawn(stepsOf(rows, insert("user")))).toEqual([
    "run chat.answer",
    "0 in run",
    "1",
    "run chat.answer",
    "2 in run",
  ]);
});

test("what is gone is told where it was", () => {
  const steps = stepsOf(
    [0, 1, 2, 3].map((at) => buildRow(at, observation)),
    [
      { op: "delete", position: 1 },
      { op: "cut", position: 2 },
    ],
  );

  expect(drawn(steps)).toEqual(["0", "removed 1-1", "1", "removed 3-3"]);
});

test("each LLM call of a run counts once", () => {
  const call = { call_id: "c", input_tokens: 100, output_tokens: 7, cost_micro_usd: 5 };

  const run = sumRun([
    buildRow(0, call),
    buildRow(1, call),
    buildRow(2, { ...call, call_id: "d" }),
  ]);

  expect(run).toMatchObject({ inputTokens: 200, outputTokens: 14, costMicroUsd: 10 });
  expect(run.durationSeconds).toBeNull();
});

test("a call of several steps shows what it took on the first", () => {
  const call = { call_id: "c", prompt_id: "p" };

  const steps = stepsOf([buildRow(0, call), buildRow(1, call)]);

  expect([0, 1].map((at) => steps.at(at)?.isFirstOfCall)).toEqual([true, false]);
});

test("a step of which nothing is known yet has its place", () => {
  const steps = buildSteps(applyOperations(3, []), buildOutline(3, [undefined]), NO_EDITS);

  expect(steps.length).toBe(3);
  expect(steps.at(1)).toMatchObject({ index: 1, recorded: null, isInRun: false });
  expect(steps.runAt(1)).toBeNull();
});

test("what an edit does not touch stays the same object", () => {
  const rows = Array.from({ length: 60 }, (_, at) => buildRow(at, { prompt_id: `p${at >> 1}` }));
  const outline = read(rows);
  const edit = (content: string): Operation[] => [
    { op: "replace", position: 50, step: { kind: "assistant", content } },
  ];
  const before = buildSteps(applyOperations(60, edit("a")), outline, NO_EDITS);
  const drawnBefore = Array.from({ length: 60 }, (_, at) => before.at(at));

  const after = buildSteps(applyOperations(60, edit("ab")), outline, NO_EDITS);
  const changed = drawnBefore.flatMap((row, at) => (after.at(at) === row ? [] : [at]));

  expect(changed).toEqual([50]);
});

test("rows that were kept from draft to draft are those of a draft that is opened anew", () => {
  const rows = Array.from({ length: 40 }, (_, at) =>
    buildRow(at, at % 4 === 0 ? observation : { prompt_id: `p${at >> 2}`, call_id: `c${at >> 2}` }),
  );
  const random = seeded(7);
  const operations: Operation[] = [];
  const outline = read(rows);
  for (let round = 0; round < 60; round += 1) {
    operations.push(anyOperation(random, 30));
    const slots = applyOperations(40, operations);
    const kept = buildSteps(slots, outline, edits(slots, 40));
    const rebuilt = stepsOf(rows, operations);

    expect(drawn(kept)).toEqual(drawn(rebuilt));
    for (let at = 0; at < slots.length; at += 1) {
      expect(kept.at(at)).toEqual(rebuilt.at(at));
    }
  }
});

function seeded(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

function anyOperation(random: (below: number) => number, below: number): Operation {
  const position = random(below);
  const step = { kind: random(2) === 0 ? "user" : "assistant", content: `text ${position}` };
  switch (random(3)) {
    case 0:
      return { op: "insert", position, step };
    case 1:
      return { op: "replace", position, step };
    default:
      return { op: "delete", position };
  }
}

test("what was recorded under an edit is one stretch, told at its first step", () => {
  const rows = Array.from({ length: 40 }, (_, at) => buildRow(at));
  const written = (position: number) => ({
    op: "replace" as const,
    position,
    step: { kind: "assistant", content: "other" },
  });
  const told = (operations: readonly Operation[]) => {
    const steps = stepsOf(rows, operations);
    return rows.flatMap((_, at) => {
      const stretch = steps.stretchAt(at);
      return stretch === null ? [] : [`${at}: ${stretch.count} ${stretch.kind}`];
    });
  };

  expect(told([])).toEqual([]);
  expect(told([written(3)])).toEqual(["4: 36 stale"]);
  expect(told([written(3), written(8)])).toEqual(["4: 4 kept", "9: 31 stale"]);
  expect(told([written(3), { op: "keep", position: 5 }])).toEqual(["4: 2 kept", "6: 34 stale"]);
  expect(told([{ op: "delete", position: 39 }])).toEqual([]);
});
