import { expect, test } from "vitest";

import type { Annotation } from "@/api/types";
import { correctedStep, findSelection, findWords } from "@/features/tape-editor/notes/anchors";
import { sliceCodePoints } from "@/lib/codePoints";
import { findValue } from "@/lib/jsonPointer";

const quoted = (text: string, selected: string, near = 0) => {
  const found = findWords(text, selected, near);
  return found === null ? null : text.slice(...found);
};

test("selected words are found in the field that holds them", () => {
  const body = { kind: "note", title: "One", parts: [{ text: "first" }, { text: "a second" }] };

  expect(findSelection(body, "second")).toEqual({
    field: "/parts/1/text",
    start: 2,
    end: 8,
    quote: "second",
  });
  expect(findSelection(body, "not there")).toBeNull();
  expect(findSelection(body, "   ")).toBeNull();
});

test("of two fields with the words the one that was selected in is taken", () => {
  const body = { kind: "note", title: "same", text: "the same" };

  expect(findSelection(body, "same", "/text")?.field).toBe("/text");
  expect(findSelection(body, "same")?.field).toBe("/title");
});

test("of several places in a text the nearest is taken", () => {
  expect(findWords("ab ab ab", "ab", 4)).toEqual([3, 5]);
  expect(findWords("ab ab ab", "ab", 0)).toEqual([0, 2]);
  expect(findWords("ab ab ab", "ab", 99)).toEqual([6, 8]);
});

test("what is made visible on the screen is found as it is stored", () => {
  expect(quoted("annual\u202egpj.exe", "annual[U+202E]gpj")).toBe("annual\u202egpj");
  expect(quoted("nul\u0000 end", "nul␀ end")).toBe("nul\u0000 end");
  expect(quoted("line one\r\n\tline two", "one line")).toBe("one\r\n\tline");
  expect(quoted("half \ud800 pair", "half [U+D800] pair")).toBe("half \ud800 pair");
});

test("offsets count code points and lead back to the words, whatever the text", () => {
  const texts = ["😀 a 😀😀 b", "é̀ 👩‍👩‍👧 end", "<script>\u202e</script>", "\ud800\udc00\ud800 x"];
  for (const text of texts) {
    const body = { kind: "k", "odd/na~me": text };
    const found = findSelection(body, text);

    expect(found?.field).toBe("/odd~1na~0me");
    const value = findValue(body, found?.field ?? "");
    expect(sliceCodePoints(String(value), found?.start ?? 0, found?.end ?? 0)).toBe(found?.quote);
    expect(found?.quote.trim()).toBe(text.trim());
  }
});

test("a correction puts its words in the place of the span, and nowhere else", () => {
  const body = { kind: "note", parts: [{ text: "a \u{1F600} wrong b" }, "wrong"], metadata: {} };
  const note = buildCorrection({ field: "/parts/0/text", start: 4, end: 9, quote: "wrong" });

  expect(correctedStep({ ...note, text: "right" }, body)).toEqual({
    ...body,
    parts: [{ text: "a \u{1F600} right b" }, "wrong"],
  });
  expect(correctedStep({ ...note, text: "" }, body)?.parts).toEqual([
    { text: "a \u{1F600}  b" },
    "wrong",
  ]);
  expect(correctedStep({ ...note, start: 3, end: 8 }, body)).toBeNull();
  expect(correctedStep({ ...note, field: "/gone" }, body)).toBeNull();
});

function buildCorrection(anchor: Partial<Annotation>): Annotation {
  return {
    id: "",
    tape_id: "",
    outcome: null,
    position: 0,
    field: "",
    start: null,
    end: null,
    quote: "",
    kind: "correction",
    name: "",
    value: null,
    scale: null,
    text: "",
    source: "person",
    source_name: "ada",
    can_edit: true,
    can_delete: true,
    created_at: "2026-01-02T12:00:00Z",
    updated_at: "2026-01-02T12:00:00Z",
    ...anchor,
  };
}
