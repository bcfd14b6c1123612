import { expect, test } from "vitest";

import type { AgentDraft } from "@/api/agentDrafts";
import { ApiError } from "@/api/client";
import { openDraftEditor } from "@/features/agent-editor/draft/draftEditor";
import { draft } from "@/features/agent-editor/testing";
import type { JsonObject } from "@/lib/json";

type Put = (spec: JsonObject, revision: number) => AgentDraft;

function open(put: Put, theirs = draft({ revision: 7 })) {
  const sent: { spec: JsonObject; revision: number }[] = [];
  const editor = openDraftEditor(
    draft(),
    {
      load: () => Promise.resolve(theirs),
      put: (spec, revision) => {
        sent.push({ spec, revision });
        return Promise.resolve().then(() => put(spec, revision));
      },
      undo: (revision) => Promise.resolve(draft({ revision: revision + 1 })),
      redo: (revision) => Promise.resolve(draft({ revision: revision + 1 })),
    },
    { waitMs: 100_000, retryMs: 100_000 },
  );
  return { editor, sent, state: () => editor.store.getState() };
}

const accept: Put = (spec, revision) =>
  draft({ spec, revision: revision + 1, is_changed: true, can_undo: true });

test("a change during a save is sent after it, with the revision that it gave", async () => {
  const { editor, sent, state } = open(accept);

  editor.change({ name: "a" });
  const first = editor.flush();
  editor.change({ name: "b" });

  expect(await first).toBe(true);
  expect(sent).toEqual([
    { spec: { name: "a" }, revision: 0 },
    { spec: { name: "b" }, revision: 1 },
  ]);
  expect(state()).toMatchObject({ save: "saved", spec: { name: "b" } });
  editor.stop();
});

test("undo first saves what was typed", async () => {
  const { editor, sent, state } = open(accept);

  editor.change({ name: "a" });
  await editor.undo();

  expect(sent).toHaveLength(1);
  expect(state()).toMatchObject({ save: "saved", stored: { revision: 2 } });
  editor.stop();
});

test("with nothing to undo, the draft stays as it is", async () => {
  const { editor, state } = open(accept);

  await editor.undo();

  expect(state()).toMatchObject({ save: "saved", stored: { revision: 0 } });
  editor.stop();
});

test("after a conflict nothing is sent until the person decides", async () => {
  let isRefused = true;
  const { editor, sent, state } = open((spec, revision) => {
    if (!isRefused) return accept(spec, revision);
    throw new ApiError("draft_changed", "Grace changed the draft.", 409);
  });

  editor.change({ name: "mine" });
  expect(await editor.flush()).toBe(false);
  editor.change({ name: "mine too" });
  expect(await editor.flush()).toBe(false);
  expect(sent).toHaveLength(1);
  expect(state()).toMatchObject({ save: "conflict", problem: "Grace changed the draft." });

  isRefused = false;
  await editor.keepMine();

  expect(sent.at(-1)).toEqual({ spec: { name: "mine too" }, revision: 7 });
  expect(state().stored.base.number).toBe(theirs.base.number);
  expect(state().save).toBe("saved");
  editor.stop();
});

test("without a server the draft waits; what the server refuses says why", async () => {
  let error = new ApiError("network", "Cannot reach the server.", 0);
  const { editor, state } = open(() => {
    throw error;
  });

  editor.change({ name: "a" });
  await editor.flush();
  expect(state().save).toBe("offline");

  error = new ApiError("spec_too_large", "The agent has more than 1,000 nodes.", 422);
  await editor.flush();

  expect(state()).toMatchObject({
    save: "refused",
    problem: "The agent has more than 1,000 nodes.",
  });
  editor.stop();
});
