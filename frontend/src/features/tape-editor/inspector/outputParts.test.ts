import { expect, test } from "vitest";

import type { ParsedOutput } from "@/api/types";
import { cutAtMarks, leftOver, marksOf } from "@/features/tape-editor/inspector/outputParts";

const part = (start: number | null, end: number | null, positions: number[]) => ({
  part: "content" as const,
  index: null,
  start,
  end,
  positions,
});

test("pieces join to the text again and marks count code points", () => {
  const text = "😀 [😀a] b";
  const mark = { start: 2, end: 6, positions: [1], isProblem: false };

  const pieces = cutAtMarks(text, [mark]);

  expect(pieces.map((piece) => piece.text)).toEqual(["😀 ", "[😀a]", " b"]);
  expect(pieces.map((piece) => piece.text).join("")).toBe(text);
});

test("a text without marks is one piece", () => {
  expect(cutAtMarks("abc", [])).toEqual([{ text: "abc", mark: null }]);
  expect(cutAtMarks("", [])).toEqual([]);
});

test("a problem is what is marked, whatever else was read", () => {
  const parsed: ParsedOutput = {
    positions: [1],
    parts: [part(0, 3, [1])],
    problem: { message: "no", part: "content", index: null, start: 1, end: 2, line: 1, column: 2 },
  };

  expect(marksOf(parsed)).toEqual([{ start: 1, end: 2, positions: [], isProblem: true }]);
});

test("steps that came of no piece are the node's own", () => {
  const parsed: ParsedOutput = { positions: [1, 2, 3], parts: [part(0, 3, [2])], problem: null };

  expect(leftOver(parsed)).toEqual([1, 3]);
});
