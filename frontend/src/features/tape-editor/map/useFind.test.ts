import { expect, test } from "vitest";

import { applyOperations } from "@/features/tape-editor/draft";
import { findAmong, wordsOf } from "@/features/tape-editor/map/useFind";

const hits = {
  items: [
    { position: 1, excerpt: "…the needle" },
    { position: 3, excerpt: "a needle" },
  ],
  is_cut: false,
};

function found(lines: { length: number; at: (line: number) => number | undefined }) {
  return Array.from({ length: lines.length }, (_, line) => lines.at(line));
}

test("without words every step is shown", () => {
  const { lines } = findAmong(applyOperations(4, []), [], undefined);

  expect(found(lines)).toEqual([0, 1, 2, 3]);
});

test("hits of the server move with the steps that the draft moves", () => {
  const slots = applyOperations(4, [{ op: "delete", position: 0 }]);

  const { lines, excerptAt } = findAmong(slots, ["needle"], hits);

  expect(found(lines)).toEqual([0, 2]);
  expect(excerptAt(2)).toBe("a needle");
});

test("what the draft wrote is looked through here, in place of what was recorded", () => {
  const slots = applyOperations(4, [
    { op: "replace", position: 1, step: { kind: "assistant", content: "hay" } },
    { op: "replace", position: 2, step: { kind: "assistant", content: "My Needle" } },
  ]);

  const { lines, excerptAt } = findAmong(slots, wordsOf(" NEEDLE "), hits);

  expect(found(lines)).toEqual([2, 3]);
  expect(excerptAt(2)).toBeUndefined();
});
