import { expect, test } from "vitest";

import { sideOf } from "@/ui/fields/field";

test("each side shows its own words and marks what the other has not", () => {
  const words = [
    { op: "equal" as const, text: "a " },
    { op: "delete" as const, text: "b" },
    { op: "insert" as const, text: "c" },
  ];

  expect(sideOf(words, "left").map(({ text }) => text)).toEqual(["a ", "b"]);
  expect(sideOf(words, "right")).toEqual([
    { text: "a ", isMarked: false },
    { text: "c", isMarked: true },
  ]);
});
