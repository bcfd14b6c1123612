import { expect, test } from "vitest";

import { ApiError } from "@/api/client";
import type { Draft, DraftIn } from "@/api/types";
import { startAutosave } from "@/features/tape-editor/saving/autosave";
import { createEditorStore } from "@/features/tape-editor/editor";

function open(answer: (draft: DraftIn) => Draft) {
  const store = createEditorStore("tape");
  const sent: DraftIn[] = [];
  const autosave = startAutosave({
    store,
    waitMs: 100_000,
    onSaved: () => undefined,
    save: (draft) => {
      sent.push(draft);
      return Promise.resolve().then(() => answer(draft));
    },
  });
  const cut = (position: number) =>
    store.getState().dispatch({ type: "draft.edited", operation: { op: "cut", position } });
  return { store, sent, autosave, cut };
}

const accept = (draft: DraftIn): Draft => ({
  fix: "A",
  name: "",
  version: draft.version + 1,
  operations: [],
  applied_count: draft.applied_count,
  updated_at: null,
  base_step_count: 4,
  step_count: 4,
  problems: [],
  others: [],
});

test("each save sends the version that the last one gave", async () => {
  const { sent, autosave, cut, store } = open(accept);

  cut(3);
  expect(await autosave.flush()).toBe(true);
  cut(2);
  expect(await autosave.flush()).toBe(true);

  expect(sent.map(({ version }) => version)).toEqual([0, 1]);
  expect(store.getState().draft.save).toBe("saved");
  autosave.stop();
});

test("an edit during a save is sent after it, never beside it", async () => {
  const { sent, autosave, cut } = open(accept);

  cut(3);
  const first = autosave.flush();
  cut(2);
  expect(await first).toBe(true);

  expect(sent.map(({ version, operations }) => [version, operations.length])).toEqual([
    [0, 1],
    [1, 2],
  ]);
  autosave.stop();
});

test("what is being typed is settled and saved by a flush", async () => {
  const { sent, autosave, store } = open(accept);
  const operation = { op: "cut", position: 1 } as const;

  store.getState().dispatch({ type: "typing.changed", edit: { operation, session: "step-1" } });
  expect(await autosave.flush()).toBe(true);

  expect(sent.map(({ operations }) => operations)).toEqual([[operation]]);
  expect(store.getState().typing).toBeNull();
  autosave.stop();
});

test("typing becomes an edit when it pauses", async () => {
  const store = createEditorStore("tape");
  const saved: DraftIn[] = [];
  const save = (draft: DraftIn) => {
    saved.push(draft);
    return Promise.resolve(accept(draft));
  };
  const autosave = startAutosave({
    ...{ store, save, onSaved: () => undefined },
    ...{ settleMs: 0, waitMs: 0 },
  });

  store.getState().dispatch({
    type: "typing.changed",
    edit: { operation: { op: "cut", position: 1 }, session: "step-1" },
  });

  await expect.poll(() => saved.length).toBe(1);
  autosave.stop();
});

test("what an archived tape refuses is no conflict", async () => {
  const { autosave, cut, store } = open(() => {
    throw new ApiError("archived", "This tape is archived.", 409);
  });

  cut(3);
  await autosave.flush();

  expect(store.getState().draft).toMatchObject({
    save: "refused",
    problem: "This tape is archived.",
  });
  autosave.stop();
});

test("a draft that another tab has changed is not overwritten", async () => {
  const { autosave, cut, store } = open(() => {
    throw new ApiError("conflict", "Another tab has stored a newer draft.", 409);
  });

  cut(3);

  expect(await autosave.flush()).toBe(false);
  expect(store.getState().draft).toMatchObject({
    save: "conflict",
    problem: "Another tab has stored a newer draft.",
  });
  autosave.stop();
});

test("without a server the draft waits", async () => {
  const { autosave, cut, store } = open(() => {
    throw new ApiError("network", "The server cannot be reached.", 0);
  });

  cut(3);
  await autosave.flush();

  expect(store.getState().draft.save).toBe("offline");
  autosave.stop();
});
