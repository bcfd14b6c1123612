import { expect, test } from "vitest";

import {
  applyOperations,
  firstEdited,
  type Operation,
  resumePoint,
} from "@/features/tape-editor/draft";
import { canSplit, findPlaces, shortWords } from "@/features/tape-editor/fixes/editPlaces";

const STEP = { kind: "assistant", content: "x" };
const put = (position: number): Operation => ({ op: "replace", position, step: STEP });

function places(...operations: Operation[]) {
  const slots = applyOperations(10, operations);
  return findPlaces(slots, firstEdited(slots, 10, null), resumePoint(slots, 10, null));
}

test("an earlier edit names the steps that are kept between it and the last one", () => {
  expect(places()).toBeNull();
  expect(places(put(7))).toEqual({ written: [7], last: 7, between: null });
  expect(places(put(7), put(2))).toEqual({ written: [2, 7], last: 7, between: { from: 3, to: 6 } });
  expect(places(put(7), put(6))?.between).toBeNull();
});

test("the last edit is split off only where that moves no other", () => {
  expect(canSplit([put(7), put(2)])).toBe(true);
  expect(canSplit([put(7)])).toBe(false);
  expect(canSplit([{ op: "delete", position: 1 }, put(2)])).toBe(false);
  expect(canSplit([put(7), { ...put(2), group: 1 }])).toBe(false);
});

test("in little room an edit is told by what is there now", () => {
  expect(shortWords('#23 content: "Error…" → "$36.00", 1 more')).toBe('#23 → "$36.00", 1 more');
  expect(shortWords('#2 answer: "no" → "yes"')).toBe('#2 answer → "yes"');
  expect(shortWords('#2 added: "Hi"')).toBe('#2 added: "Hi"');
});
