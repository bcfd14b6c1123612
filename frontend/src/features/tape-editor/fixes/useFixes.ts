/** The fixes of the open tape, and what can be done with them. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";

import { showFailure } from "@/api/showFailure";
import type { Fix, FixRow } from "@/api/types";
import {
  applied,
  type Draft,
  EMPTY_DRAFT,
  freeLetter,
  listFixes,
  neighbourFix,
  reduceDraft,
} from "@/features/tape-editor/draft";
import {
  type EditorStore,
  useEditor,
  useEditorApi,
  useTapeModel,
} from "@/features/tape-editor/editor";
import {
  type Autosave,
  discardDraft,
  fixesKey,
  fixesQuery,
  loaded,
} from "@/features/tape-editor/saving";
import { offerUndo } from "@/ui/undoToast";

/** A fix as it is shown. */
export interface FixTab {
  fix: Fix;
  name: string;
  /** The server's last description of its changes. */
  words: string;
  isOpen: boolean;
  editCount: number;
}

export function useFixes(): FixTab[] {
  const { tape } = useTapeModel();
  const store = useEditorApi();
  const { data } = useQuery(fixesQuery(tape.id));
  useEffect(() => {
    if (data !== undefined)
      store.getState().dispatch({ type: "fixes.loaded", drafts: data.map(toDraft) });
  }, [store, data]);
  const draft = useEditor((editor) => editor.draft);
  const parked = useEditor((editor) => editor.parked);
  return useMemo(
    () =>
      listFixes({ draft, parked }).map(({ fix, name, appliedCount }) => ({
        fix,
        name,
        words: data?.find((row) => row.fix === fix)?.words ?? "",
        isOpen: fix === draft.fix,
        editCount: appliedCount,
      })),
    [data, draft, parked],
  );
}

function toDraft(row: FixRow): Draft {
  return reduceDraft(EMPTY_DRAFT, loaded(row));
}

export interface FixActions {
  open: (fix: Fix) => void;
  next: (by: 1 | -1) => void;
  begin: () => void;
  duplicate: () => void;
  /** Move the last edit out of this fix into a new one. */
  split: () => void;
  remove: (autosave: Autosave) => Promise<void>;
}

export function useFixActions(): FixActions {
  const store = useEditorApi();
  const queries = useQueryClient();
  const { tape, outline } = useTapeModel();
  const stepCount = outline.length;
  return useMemo(() => {
    const { dispatch } = store.getState();
    const begin = (operations: Draft["operations"]) => {
      const fix = freeLetter(store.getState());
      if (fix === null) showFull();
      else dispatch({ type: "fix.started", fix, operations, stepCount });
    };
    return {
      open: (fix) => dispatch({ type: "fix.opened", fix }),
      next: (by) => dispatch({ type: "fix.opened", fix: neighbourFix(store.getState(), by) }),
      begin: () => begin([]),
      duplicate: () => {
        dispatch({ type: "typing.settled" });
        begin(applied(store.getState().draft));
      },
      split: () => {
        dispatch({ type: "typing.settled" });
        const last = applied(store.getState().draft).at(-1);
        if (last === undefined) return;
        // Without a free letter, the edit stays in this fix.
        if (freeLetter(store.getState()) !== null) dispatch({ type: "draft.undone" });
        begin([last]);
      },
      remove: async (autosave) => {
        const removed = await settle(store.getState, autosave);
        try {
          await discardDraft(tape.id, removed.fix);
        } catch (error) {
          showFailure("The fix was not removed", error);
          return;
        }
        dispatch({ type: "fix.removed", fix: removed.fix });
        void queries.invalidateQueries({ queryKey: fixesKey(tape.id) });
        if (removed.operations.length === 0) return;
        offerUndo(`Fix ${removed.fix} was removed`, () =>
          dispatch({ type: "fix.restored", draft: removed }),
        );
      },
    };
  }, [store, queries, tape.id, stepCount]);
}

/** A save that is under way must not arrive after the removal. */
async function settle(now: () => EditorStore, autosave: Autosave): Promise<Draft> {
  now().dispatch({ type: "typing.settled" });
  const { draft } = now();
  await autosave.flush();
  return draft;
}

function showFull(): void {
  const message = "A tape has at most 8 fixes, A to H. Remove one to begin another.";
  showFailure("No room for another fix", message);
}
