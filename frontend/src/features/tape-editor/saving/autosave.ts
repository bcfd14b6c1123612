/** Saves the draft to the server during typing: one save at a time, the newest state wins. */
import type { StoreApi } from "zustand";

import { ApiError, describeError } from "@/api/client";
import type { Draft as StoredDraft, DraftIn, Fix } from "@/api/types";
import type { Draft } from "@/features/tape-editor/draft";
import { type EditorStore, findUnsaved, hasUnsaved } from "@/features/tape-editor/editor";

interface AutosaveOptions {
  store: StoreApi<EditorStore>;
  save: (draft: DraftIn, fix: Fix) => Promise<StoredDraft>;
  onSaved: (draft: StoredDraft) => void;
  /** From the last key press to the edit of the draft. */
  settleMs?: number;
  /** From an edit to its save. */
  waitMs?: number;
  retryMs?: number;
}

export interface Autosave {
  /** Save now what is not saved. Resolves to whether everything is on the server. */
  flush: () => Promise<boolean>;
  stop: () => void;
}

export function startAutosave(options: AutosaveOptions): Autosave {
  const { store, settleMs = 300, waitMs = 500, retryMs = 3000 } = options;
  const { dispatch } = store.getState();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let settling: ReturnType<typeof setTimeout> | undefined;
  let running: Promise<void> | null = null;

  const unsubscribe = store.subscribe((state, before) => {
    if (state.typing !== before.typing && state.typing !== null) {
      clearTimeout(settling);
      settling = setTimeout(() => dispatch({ type: "typing.settled" }), settleMs);
    }
    const isNew = state.draft !== before.draft || state.parked !== before.parked;
    if (isNew && findUnsaved(state)?.save === "unsaved") schedule(waitMs);
  });
  // A draft that an earlier page could not send.
  if (findUnsaved(store.getState())?.save === "unsaved") schedule(0);

  function schedule(milliseconds: number): void {
    clearTimeout(timer);
    timer = setTimeout(() => void send(), milliseconds);
  }

  function send(): Promise<void> {
    clearTimeout(timer);
    running ??= sendOnce().finally(() => {
      running = null;
      const save = findUnsaved(store.getState())?.save;
      if (save === "unsaved") schedule(waitMs);
      if (save === "offline") schedule(retryMs);
    });
    return running;
  }

  async function sendOnce(): Promise<void> {
    dispatch({ type: "typing.settled" });
    const draft = findUnsaved(store.getState());
    if (draft === null) return;
    const { fix } = draft;
    dispatch({ type: "draft.sending", fix });
    try {
      const saved = await options.save(draftIn(draft), fix);
      const { version, problems, others } = saved;
      const { operations: sent, appliedCount: sentCount, name: sentName } = draft;
      const what = { version, sent, sentCount, sentName, problems, others };
      dispatch({ type: "draft.saved", fix, ...what });
      options.onSaved(saved);
    } catch (error) {
      const save = whyNot(error);
      dispatch({ type: "draft.notSaved", fix, save, message: describeError(error) });
    }
  }

  async function flush(): Promise<boolean> {
    // A save may be under way with an older state; then another one is needed.
    for (let attempt = 0; attempt < MOST_SAVES; attempt += 1) {
      if (!hasUnsaved(store.getState())) return true;
      if (findUnsaved(store.getState())?.save === "conflict") return false;
      await send();
    }
    return !hasUnsaved(store.getState());
  }

  function stop(): void {
    clearTimeout(timer);
    clearTimeout(settling);
    unsubscribe();
  }

  return { flush, stop };
}

/** Each fix once, plus what changed meanwhile. */
const MOST_SAVES = 10;

export function draftIn(draft: Draft): DraftIn {
  const { name, operations, appliedCount, version, baseStepCount } = draft;
  return {
    version,
    name,
    operations: [...operations],
    applied_count: appliedCount,
    ...(baseStepCount === null ? {} : { base_step_count: baseStepCount }),
  };
}

function whyNot(error: unknown): "offline" | "conflict" | "refused" {
  if (!(error instanceof ApiError)) return "offline";
  if (error.code === "conflict") return "conflict";
  return error.status >= 400 && error.status < 500 ? "refused" : "offline";
}
