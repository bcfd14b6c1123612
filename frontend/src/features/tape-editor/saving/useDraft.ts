/** The draft of an open editor and the server's copy of it: opened, saved, chosen between. */
import { useWindowEvent } from "@mantine/hooks";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";

import { tapeKeys } from "@/api/tapes";
import type { Draft as StoredDraft, Tape } from "@/api/types";
import { loadDraft, saveDraft } from "@/features/tape-editor/saving/api";
import { type Autosave, draftIn, startAutosave } from "@/features/tape-editor/saving/autosave";
import { type DraftEvent, parseOperations } from "@/features/tape-editor/draft";
import { dropUnsent, findUnsent, keepUnsent } from "@/features/tape-editor/saving/unsent";
import { createEditorStore, hasUnsaved, useEditorApi } from "@/features/tape-editor/editor";
import { isSameJson } from "@/lib/json";

export function openStore(tape: Tape) {
  const store = createEditorStore(tape.id);
  const { dispatch } = store.getState();
  if (tape.draft !== null) dispatch(loaded(tape.draft));
  dispatch({ type: "draft.othersTold", others: tape.other_drafts });
  for (const event of unsentEvents(tape)) dispatch(event);
  return store;
}

export function loaded(draft: StoredDraft): DraftEvent {
  return {
    type: "draft.loaded",
    version: draft.version,
    operations: parseOperations(draft.operations),
    appliedCount: draft.applied_count,
    baseStepCount: draft.operations.length === 0 ? null : draft.base_step_count,
    problems: draft.problems,
    others: draft.others,
  };
}

/** What was typed right before the page was closed continues; a person chooses when both changed. */
function unsentEvents(tape: Tape): DraftEvent[] {
  const unsent = findUnsent(tape.id);
  if (unsent === null) return [];
  const { draft } = tape;
  if (draft !== null && isSameJson(draft.operations, unsent.operations)) {
    dropUnsent(tape.id);
    if (draft.applied_count === unsent.applied_count) return [];
  }
  const mine: DraftEvent = {
    type: "draft.loaded",
    version: unsent.version,
    operations: unsent.operations,
    appliedCount: unsent.applied_count,
    baseStepCount: unsent.base_step_count,
    isUnsent: true,
  };
  if (unsent.version === (draft?.version ?? 0)) return [mine];
  const message =
    "This browser has changes that it could not save, and the draft has since been changed elsewhere.";
  return [mine, { type: "draft.notSaved", save: "conflict", message }];
}

export function useAutosave(tapeId: string) {
  const store = useEditorApi();
  const queries = useQueryClient();
  const running = useRef<Autosave | null>(null);

  useEffect(() => {
    let newest: StoredDraft | null = null;
    const started = startAutosave({
      store,
      save: (draft) => saveDraft(tapeId, draft),
      onSaved: (draft) => {
        newest = draft;
        dropUnsent(tapeId);
      },
    });
    running.current = started;
    return () => {
      // What was typed last goes out even when the page is left at once. The cached tape learns of
      // it only now: a new tape object at every save would render all panes again.
      void started.flush().finally(() => {
        // One that was made a tape or thrown away is none any more.
        const isThere = newest !== null && newest.version === store.getState().draft.version;
        queries.setQueryData(tapeKeys.tape(tapeId), (tape: Tape | undefined) =>
          tape === undefined || !isThere ? tape : { ...tape, draft: newest },
        );
      });
      started.stop();
    };
  }, [store, tapeId, queries]);
  useKeptWhenClosed(tapeId);

  const [autosave] = useState((): Autosave => ({
    flush: () => running.current?.flush() ?? Promise.resolve(false),
    stop: () => running.current?.stop(),
  }));
  const { dispatch } = store.getState();
  const onLoadTheirs = async () => {
    const draft = await loadDraft(tapeId);
    dropUnsent(tapeId);
    dispatch({ type: "form.closed" });
    dispatch(loaded(draft));
  };
  const onKeepMine = async () => {
    dispatch({ type: "draft.rebased", version: (await loadDraft(tapeId)).version });
  };
  return {
    autosave,
    onLoadTheirs: () => void onLoadTheirs(),
    onKeepMine: () => void onKeepMine(),
  };
}

/** A page that is closed has no time to wait for an answer: this browser keeps what was typed. */
function useKeptWhenClosed(tapeId: string): void {
  const store = useEditorApi();
  useWindowEvent("pagehide", () => {
    if (!hasUnsaved(store.getState())) return;
    const { dispatch } = store.getState();
    dispatch({ type: "typing.settled" });
    keepUnsent(tapeId, draftIn(store.getState().draft));
  });
  useWindowEvent("pageshow", ({ persisted }) => {
    if (persisted) dropUnsent(tapeId);
  });
}
