import { expect, test } from "vitest";

import {
  applied,
  type Draft,
  type DraftEvent,
  EMPTY_DRAFT,
  isDirty,
  reduceDraft,
} from "@/features/tape-editor/draft/draft";
import { type Operation, parseOperations } from "@/features/tape-editor/draft/operations";

const replace = (position: number, content: string): Operation => ({
  op: "replace",
  position,
  step: { kind: "user", content },
});

function edit(operation: Operation, session?: string): DraftEvent {
  return {
    type: "draft.edited",
    operation,
    ...(session === undefined ? {} : { session }),
    recorded: { slot: "step-1", step: { kind: "user", content: "old" } },
    stepCount: 3,
  };
}

function play(...events: DraftEvent[]): Draft {
  return events.reduce(reduceDraft, EMPTY_DRAFT);
}

test("typing on in one form is one operation", () => {
  const draft = play(edit(replace(1, "n"), "step-1"), edit(replace(1, "new"), "step-1"));

  expect(draft.operations).toEqual([replace(1, "new")]);
});

test("typing in a step that was just inserted stays that insertion", () => {
  const insert: Operation = { op: "insert", position: 1, step: { kind: "user", content: "" } };

  const draft = play(edit(insert, "new-0"), edit(replace(1, "hello"), "new-0"));

  expect(draft.operations).toEqual([{ ...insert, step: { kind: "user", content: "hello" } }]);
});

test("an edit that leads back to what was recorded is none", () => {
  const draft = play(edit(replace(1, "new"), "step-1"), edit(replace(1, "old"), "step-1"));

  expect(isDirty(draft)).toBe(false);
});

test("a step put back keeps the edits of others", () => {
  const draft = play(edit(replace(1, "new")), edit(replace(2, "other")), edit(replace(1, "old")));

  expect(draft.operations).toEqual([replace(2, "other")]);
});

test("undo and redo move over the operations, a new edit drops what could be redone", () => {
  const both = play(edit(replace(1, "a")), edit(replace(2, "b")));
  const undone = reduceDraft(both, { type: "draft.undone" });

  expect(applied(undone)).toEqual([replace(1, "a")]);
  expect(applied(reduceDraft(undone, { type: "draft.redone" }))).toEqual(both.operations);
  expect(reduceDraft(undone, edit({ op: "cut", position: 1 })).operations).toEqual([
    replace(1, "a"),
    { op: "cut", position: 1 },
  ]);
});

test("changes that are made together are undone and redone together, and only those", () => {
  const insert: Operation = { op: "insert", position: 2, step: { kind: "user", content: "b" } };
  const more: Operation = { op: "insert", position: 3, step: { kind: "user", content: "c" } };
  const draft = play(
    edit(replace(0, "before")),
    { type: "draft.editedTogether", operations: [replace(1, "a"), insert], stepCount: 3 },
    { type: "draft.editedTogether", operations: [more], stepCount: 3 },
    edit(replace(0, "after")),
  );

  const counts = (events: DraftEvent["type"][]) => {
    let now = draft;
    return events.map((type) => {
      if (type === "draft.undone" || type === "draft.redone") now = reduceDraft(now, { type });
      return now.appliedCount;
    });
  };

  expect(draft.appliedCount).toBe(5);
  expect(counts(["draft.undone", "draft.undone", "draft.undone", "draft.undone"])).toEqual([
    4, 3, 1, 0,
  ]);
  const undone = Array.from({ length: 4 }, () => "draft.undone" as const);
  const redone = Array.from({ length: 4 }, () => "draft.redone" as const);
  expect(counts([...undone, ...redone]).slice(4)).toEqual([1, 3, 4, 5]);
});

test("what was made together stays together through the server", () => {
  const draft = play({
    type: "draft.editedTogether",
    operations: [replace(1, "a"), replace(2, "b")],
    stepCount: 3,
  });

  const read = parseOperations(JSON.parse(JSON.stringify(draft.operations)));

  expect(read).toEqual(draft.operations);
  expect(new Set(read.map(({ group }) => group)).size).toBe(1);
});

test("after an undo, typing on begins a new operation", () => {
  const draft = play(
    edit(replace(1, "a"), "step-1"),
    { type: "draft.undone" },
    { type: "draft.redone" },
    edit(replace(1, "b"), "step-1"),
  );

  expect(draft.operations).toHaveLength(2);
});

test("what was typed while a save was under way is not called saved", () => {
  const before = play(edit(replace(1, "a")));
  const after = reduceDraft(before, edit(replace(2, "b")));

  const draft = reduceDraft(after, {
    type: "draft.saved",
    fix: "A",
    version: 1,
    sent: before.operations,
    sentCount: 1,
  });

  expect(draft).toMatchObject({ version: 1, save: "unsaved" });
});

test("a conflict stays until the person has chosen", () => {
  const conflict = play(edit(replace(1, "a")), {
    type: "draft.notSaved",
    fix: "A",
    save: "conflict",
    message: "Another tab has saved a newer draft.",
  });

  expect(reduceDraft(conflict, edit(replace(2, "b"))).save).toBe("conflict");
  expect(reduceDraft(conflict, { type: "draft.rebased", version: 4 })).toMatchObject({
    version: 4,
    save: "unsaved",
  });
});

test("a context put back as it was is no edit, and edits of steps stay", () => {
  const context = (value: unknown): DraftEvent => ({
    type: "draft.edited",
    operation: { op: "context", value },
    recorded: { slot: "context", step: { value: "task" } },
    stepCount: 3,
  });

  const draft = play(context("other"), edit(replace(2, "b")), context("task"));

  expect(draft.operations).toEqual([replace(2, "b")]);
});

test("a draft begins on the steps that there are, until their growth is accepted", () => {
  const begun = play(edit(replace(1, "a")));
  const later = reduceDraft(begun, {
    type: "draft.edited",
    operation: { op: "cut", position: 2 },
    stepCount: 5,
  });

  expect(later.baseStepCount).toBe(3);
  expect(reduceDraft(later, { type: "draft.growthAccepted", stepCount: 5 })).toMatchObject({
    baseStepCount: 5,
    save: "unsaved",
  });
});

test("what the server finds wrong comes with a save and goes with the next", () => {
  const before = play(edit(replace(1, "a")));
  const problem = { position: 1, field: "/content", message: "Too short." };
  const saved = {
    type: "draft.saved",
    fix: "A",
    version: 1,
    sent: before.operations,
    sentCount: 1,
  } as const;

  const refused = reduceDraft(before, { ...saved, problems: [problem] });

  expect(refused.problems).toEqual([problem]);
  expect(reduceDraft(refused, saved).problems).toEqual([]);
});
