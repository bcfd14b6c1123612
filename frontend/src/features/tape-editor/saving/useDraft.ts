/** The draft of an open editor and its copy on the server: loading, saving, resolving conflicts. */
import { useWindowEvent } from "@mantine/hooks";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";

import { tapeKeys } from "@/api/tapes";
import type { Draft as StoredDraft, Tape } from "@/api/types";
import { fixesKey, loadDraft, saveDraft } from "@/features/tape-editor/saving/api";
import { type Autosave, draftIn, startAutosave } from "@/features/tape-editor/saving/autosave";
import { type DraftEvent, parseOperations } from "@/features/tape-editor/draft";
import { dropUnsent, findUnsent, keepUnsent } from "@/features/tape-editor/saving/unsent";
import {
  createEditorStore,
  findUnsaved,
  hasUnsaved,
  useEditorApi,
} from "@/features/tape-editor/editor";
import { isSameJson } from "@/lib/json";

/** Creates the editor store of a tape, with the person's draft if there is one. */
export function openStore(tape: Tape, draft: StoredDraft | null = tape.draft) {
  const store = createEditorStore(tape.id);
  const { dispatch } = store.getState();
  // Before the first render: on a growing tape, reading continues at its end.
  if (tape.job !== null) {
    const { id: jobId, state, message, cancelled_by: cancelledBy } = tape.job;
    dispatch({ type: "run.watched", jobId, state, message, cancelledBy });
  }
  if (draft !== null) dispatch(loaded(draft));
  dispatch({ type: "draft.othersLoaded", others: tape.other_drafts });
  for (const event of unsentEvents(tape)) dispatch(event);
  return store;
}

export function loaded(draft: StoredDraft): DraftEvent {
  return {
    type: "draft.loaded",
    fix: draft.fix,
    name: draft.name,
    version: draft.version,
    operations: parseOperations(draft.operations),
    appliedCount: draft.applied_count,
    baseStepCount: draft.operations.length === 0 ? null : draft.base_step_count,
    problems: draft.problems,
    others: draft.others,
  };
}

/** Restores what was typed just before the page closed; if both changed, the person chooses. */
function unsentEvents(tape: Tape): DraftEvent[] {
  const unsent = findUnsent(tape.id);
  if (unsent === null) return [];
  // For a fix other than the one that opens, saving reports whether it was changed elsewhere.
  const draft = tape.draft?.fix === unsent.fix ? tape.draft : null;
  if (draft !== null && isSameJson(draft.operations, unsent.operations)) {
    dropUnsent(tape.id);
    if (draft.applied_count === unsent.applied_count) return [];
  }
  const mine: DraftEvent = {
    type: "draft.loaded",
    fix: unsent.fix,
    name: unsent.name,
    version: unsent.version,
    operations: unsent.operations,
    appliedCount: unsent.applied_count,
    baseStepCount: unsent.base_step_count,
    isUnsent: true,
  };
  const isOther = draft === null && tape.draft !== null;
  if (isOther || unsent.version === (draft?.version ?? 0)) return [mine];
  const message =
    "This browser has changes that it could not save, and the draft has since been changed elsewhere.";
  return [mine, { type: "draft.notSaved", fix: unsent.fix, save: "conflict", message }];
}

export function useAutosave(tapeId: string) {
  const store = useEditorApi();
  const queries = useQueryClient();
  const running = useRef<Autosave | null>(null);

  useEffect(() => {
    let newest: StoredDraft | null = null;
    const started = startAutosave({
      store,
      save: (draft, fix) => saveDraft(tapeId, fix, draft),
      onSaved: (draft) => {
        newest = draft;
        dropUnsent(tapeId);
        void queries.invalidateQueries({ queryKey: fixesKey(tapeId) });
      },
    });
    running.current = started;
    return () => {
      // Saves what was typed last even if the person leaves immediately. The cached tape is updated
      // only now: a new tape object at every save would render all panes again.
      void started.flush().finally(() => {
        // A draft that became a tape or was discarded no longer exists.
        const { fix, version } = store.getState().draft;
        const isThere = newest !== null && newest.fix === fix && newest.version === version;
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
    const draft = await loadDraft(tapeId, store.getState().draft.fix);
    dropUnsent(tapeId);
    dispatch({ type: "form.closed" });
    dispatch(loaded(draft));
  };
  const onKeepMine = async () => {
    const { version } = await loadDraft(tapeId, store.getState().draft.fix);
    dispatch({ type: "draft.rebased", version });
  };
  return {
    autosave,
    onLoadTheirs: () => void onLoadTheirs(),
    onKeepMine: () => void onKeepMine(),
  };
}

/** A closing page has no time to wait for a response: this browser keeps what was typed. */
function useKeptWhenClosed(tapeId: string): void {
  const store = useEditorApi();
  useWindowEvent("pagehide", () => {
    if (!hasUnsaved(store.getState())) return;
    const { dispatch } = store.getState();
    dispatch({ type: "typing.settled" });
    const draft = findUnsaved(store.getState());
    if (draft !== null) keepUnsent(tapeId, { ...draftIn(draft), fix: draft.fix });
  });
  useWindowEvent("pageshow", ({ persisted }) => {
    if (persisted) dropUnsent(tapeId);
  });
}
