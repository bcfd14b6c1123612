import { expect, test } from "vitest";

import { allLines, linesOf } from "@/features/tape-editor/map/find";

test("lines lead to steps and back", () => {
  const even = linesOf(10, (index) => index % 2 === 0);

  expect([even.length, even.at(1), even.at(5)]).toEqual([5, 2, undefined]);
  expect([even.lineOf(4), even.lineOf(5), even.lineOf(99)]).toEqual([2, 3, 5]);
  expect([even.has(4), even.has(5), even.has(99)]).toEqual([true, false, false]);
});

test("without a choice each step has its line", () => {
  const all = allLines(3);

  expect([all.at(2), all.at(3), all.lineOf(2), all.lineOf(7)]).toEqual([2, undefined, 2, 3]);
  expect([all.has(2), all.has(3), all.has(-1)]).toEqual([true, false, false]);
});
