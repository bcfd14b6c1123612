import { expect, test } from "vitest";

import { placeAfterMove } from "@/features/tape-editor/cards/dragging";

test.each([
  [0, 2, "before", 1],
  [0, 2, "after", 2],
  [3, 1, "before", 1],
  [3, 1, "after", 2],
  [2, 2, "before", 2],
  [2, 2, "after", 2],
] as const)("step %i put at %i, %s it, ends up at %i", (from, target, half, expected) => {
  expect(placeAfterMove(from, target, half)).toBe(expected);
});
