import { expect, test } from "vitest";

import { shareTokens, sizeOf } from "@/features/tape-editor/inspector/tokenShares";

test("shares add up to the recorded sum, whatever the sizes", () => {
  for (const sizes of [[1, 1, 1], [0, 5, 0], [3, 7, 11, 13], [1], [1000, 1]]) {
    for (const total of [0, 1, 2, 10, 999]) {
      const shares = shareTokens(sizes, total);

      expect(shares.reduce((sum, share) => sum + share, 0)).toBe(total);
      expect(shares.every((share) => share >= 0)).toBe(true);
    }
  }
});

test("a message that is twice as long has about twice the tokens", () => {
  expect(shareTokens([200, 100], 30)).toEqual([20, 10]);
});

test("nothing to share among nothing", () => {
  expect(shareTokens([], 10)).toEqual([]);
  expect(shareTokens([0, 0], 10)).toEqual([0, 0]);
});

test("what is sent of a message weighs, names and numbers too", () => {
  expect(sizeOf({ role: "user", content: [{ text: "abcd" }], n: 12, none: null })).toBe(
    "role".length + 4 + "content".length + "text".length + 4 + "n".length + 2 + "none".length,
  );
});
