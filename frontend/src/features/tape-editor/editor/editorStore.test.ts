import { expect, test } from "vitest";

import type { Operation } from "@/features/tape-editor/draft";
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

const newFix = (operations: Operation[] = []): EditorEvent => ({
  type: "fix.started",
  fix: "B",
  operations,
  stepCount: 3,
});

test("a new fix begins in the form of the step that the last one was edited in", () => {
  const open: EditorEvent = { type: "form.opened", slot: "step-1" };
  const editor = play(open, { type: "form.entered" }, typed("a"), newFix());

  expect(editor).toMatchObject({ editing: "step-1", wantsCaret: true, typing: null });
  expect(editor.draft).toMatchObject({ fix: "B", operations: [] });
  expect(editor.parked.A?.operations).toHaveLength(1);
  const { editing } = play({ type: "form.opened", slot: "new-0" }, newFix());
  expect(editing, "of a step that only the last fix has").toBeNull();
  const copy = play(open, newFix([{ op: "cut", position: 2 }]));
  expect(copy.editing, "of a copy, which has edits").toBeNull();
});
