import { expect, test } from "vitest";

import { applyOperations, type StepJson } from "@/features/tape-editor/draft";
import { replaceSteps } from "@/features/tape-editor/playground/answerSteps";

const step = (text: string): StepJson => ({ kind: "assistant", content: text });
const RECORDED = [step("a"), step("b")];

/** What the four-step tape reads after the operations; recorded steps by their position. */
function play(steps: readonly StepJson[], slots = applyOperations(4, [])): unknown[] {
  const operations = replaceSteps(slots, [1, 2], RECORDED, steps);
  if (operations === null) throw new Error("Nothing to replace.");
  return applyOperations(4, operations).map(({ origin, written }) => written?.content ?? origin);
}

test("as many steps take the places of the recorded ones", () => {
  expect(play([step("x"), step("y")])).toEqual([0, "x", "y", 3]);
});

test("a step that stays the same is left alone", () => {
  expect(play([step("a"), step("y")])).toEqual([0, 1, "y", 3]);
});

test("more steps come after, fewer leave places out", () => {
  expect(play([step("x"), step("y"), step("z")])).toEqual([0, "x", "y", "z", 3]);
  expect(play([step("x")])).toEqual([0, "x", 3]);
});

test("steps that the draft took out cannot be replaced", () => {
  const cut = applyOperations(4, [{ op: "cut", position: 1 }]);

  expect(replaceSteps(cut, [1, 2], RECORDED, [step("x")])).toBeNull();
});
