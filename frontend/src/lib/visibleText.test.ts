import { expect, test } from "vitest";

import { foldText, visibleText } from "@/lib/visibleText";

test("characters that reorder or hide text are made visible", () => {
  expect(visibleText("a\u202eb")).toBe("a[U+202E]b");
  expect(visibleText("\u001b[31mred")).toBe("␛[31mred");
  expect(visibleText("one\r\ntwo\tthree")).toBe("one\ntwo\tthree");
});

test("letters that nobody sees and halves of characters are made visible", () => {
  expect(visibleText("a\u{e0041}b\u2060c\u061cd")).toBe("a[U+E0041]b[U+2060]c[U+061C]d");
  expect(visibleText("half \ud83d, whole \u{1f600}")).toBe("half [U+D83D], whole \u{1f600}");
});

test("a text is not cut inside a character", () => {
  expect(foldText("ab\u{1f600}cd", 12, 3).text).toBe("ab");
});

test("a short text is not folded", () => {
  expect(foldText("one\ntwo", 12, 1000)).toEqual({
    text: "one\ntwo",
    lineCount: 2,
    isFolded: false,
  });
});

test("a long text is cut after its lines, and one endless line after its characters", () => {
  const lines = Array.from({ length: 240 }, (_, at) => `line ${at}`).join("\n");

  expect(foldText(lines, 2, 1000)).toEqual({
    text: "line 0\nline 1",
    lineCount: 240,
    isFolded: true,
  });
  expect(foldText("x".repeat(5_000_000), 12, 1000).text).toHaveLength(1000);
});
