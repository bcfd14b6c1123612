import { expect, test } from "vitest";

import {
  type Editor,
  type EditorEvent,
  emptyEditor,
  hasUnsaved,
  reduceEditor,
} from "@/features/tape-editor/editor/editorStore";

const typed = (content: string, session = "step-1"): EditorEvent => ({
  type: "typing.changed",
  edit: { operation: { op: "replace", position: 1, step: { content } }, session },
});

function play(...events: EditorEvent[]): Editor {
  return events.reduce(reduceEditor, emptyEditor("tape"));
}

test("a key leaves the draft as it is", () => {
  const before = play(typed("a"));
  const after = reduceEditor(before, typed("ab"));

  expect(after.draft).toBe(before.draft);
  expect(hasUnsaved(after)).toBe(true);
});

test("what was typed is one operation, in whatever pauses", () => {
  const editor = play(typed("a"), { type: "typing.settled" }, typed("ab"), {
    type: "typing.settled",
  });

  expect(editor.draft.operations).toEqual([
    { op: "replace", position: 1, step: { content: "ab" } },
  ]);
});

test.each<[string, EditorEvent]>([
  ["another edit", { type: "draft.edited", operation: { op: "cut", position: 3 } }],
  ["another form", { type: "form.opened", slot: "step-2" }],
  ["closing the form", { type: "form.closed" }],
  ["typing elsewhere", typed("b", "step-2")],
])("%s comes after what was typed", (_, event) => {
  const editor = play(typed("a"), event);

  expect(editor.draft.operations[0]).toEqual({
    op: "replace",
    position: 1,
    step: { content: "a" },
  });
});

test("undo takes back what is being typed", () => {
  const editor = play(typed("a"), { type: "draft.undone" });

  expect(editor.typing).toBeNull();
  expect(editor.draft).toMatchObject({ appliedCount: 0, operations: [{ op: "replace" }] });
});

test("a draft that is loaded takes the place of what was typed", () => {
  const editor = play(typed("a"), {
    type: "draft.loaded",
    operations: [],
    appliedCount: 0,
    version: 2,
  });

  expect(editor.typing).toBeNull();
  expect(editor.draft.operations).toEqual([]);
});
