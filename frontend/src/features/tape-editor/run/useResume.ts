/** What a tape or its draft can be turned into: Resume, Save as a revision, Discard. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "react-router";

import { cancelJob, jobKeys } from "@/api/jobs";
import { showFailure } from "@/api/showFailure";
import { resumeTape, tapeKeys } from "@/api/tapes";
import type { Tape } from "@/api/types";
import { type Autosave, discardDraft, fixesKey, saveChild } from "@/features/tape-editor/saving";
import { isDirty } from "@/features/tape-editor/draft";
import { isUnfinished } from "@/features/tape-editor/live";
import { useEditor, useEditorApi, useTapeModel } from "@/features/tape-editor/editor";
import { estimateText } from "@/features/tape-editor/run/estimateText";
import {
  AS_AGENT,
  keepChoice,
  keepEstimate,
  type RunChoice,
  runOptions,
} from "@/features/tape-editor/choice";
import type { RunSetup } from "@/features/tape-editor/run/useRunSetup";

/** Starts the chosen run; part of the choice can be changed in the same call. */
export function useResume(autosave: Autosave, setup: RunSetup) {
  const { tape } = useTapeModel();
  const { dropDraft, refresh } = useAfterwards();
  const navigate = useNavigate();
  const store = useEditorApi();
  return useMutation({
    mutationFn: async (changed: Partial<RunChoice>) => {
      const { versionId, place, change } = setup;
      if (versionId === null) throw new Error("Choose an agent first.");
      if (!(await autosave.flush())) throw new Error("The draft is not saved yet.");
      // Text typed just before the key press has only now become an edit, and is not rendered yet.
      const { draft } = store.getState();
      const hasDraft = isDirty(draft);
      const choice = { ...setup.choice, ...changed };
      change(lasting(changed));
      return resumeTape(tape.id, {
        ...runOptions(choice, versionId),
        use_draft: hasDraft,
        fix: draft.fix,
        // A fix can be run again, also with others; a draft that continues a paused run is used up.
        keeps_draft: !isUnfinished(store.getState().live.state),
        at: hasDraft && setup.hasDraft && !place.keepsOthers ? place.keep : null,
      });
    },
    onSuccess: ({ tape_id: tapeId, job_id: jobId }, changed) => {
      const { live, dispatch } = store.getState();
      const modelId = setup.choice.modelId ?? AS_AGENT;
      keepChoice(tapeId, { ...setup.choice, modelId, ...lasting(changed) });
      if (setup.estimate !== null) keepEstimate(jobId, estimateText(setup.estimate));
      // Editing a paused tape continues from the edit: the pause has served its purpose.
      if (live.state === "paused" && live.jobId !== null && tapeId !== tape.id) {
        void cancelJob(live.jobId).catch(() => undefined);
      }
      if (isUnfinished(live.state)) dropDraft();
      refresh();
      if (tapeId !== tape.id) {
        void navigate(`/t/${tapeId}`);
        return;
      }
      const started = { message: "", cancelledBy: "", isStartedHere: true } as const;
      dispatch({ type: "run.watched", jobId, state: "queued", ...started });
    },
    onError: (error) => showFailure("The run did not start", error),
  });
}

/** A single step is not remembered. */
function lasting(choice: Partial<RunChoice>): Partial<RunChoice> {
  const changed = { ...choice };
  delete changed.isStepping;
  return changed;
}

export function useSaveFork(autosave: Autosave) {
  const store = useEditorApi();
  const { tape } = useTapeModel();
  const { dropDraft, refresh } = useAfterwards();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: async () => {
      if (!(await autosave.flush())) throw new Error("The draft is not saved yet.");
      return saveChild(tape.id, store.getState().draft.fix);
    },
    onSuccess: ({ tape_id: tapeId }) => {
      dropDraft();
      refresh();
      void navigate(`/t/${tapeId}`);
    },
    onError: (error) => showFailure("The fork was not saved", error),
  });
}

export function useDiscard() {
  const store = useEditorApi();
  const { tape } = useTapeModel();
  const { dropDraft } = useAfterwards();
  return useMutation({
    mutationFn: () => discardDraft(tape.id, store.getState().draft.fix),
    onSuccess: dropDraft,
    onError: (error) => showFailure("The draft was not discarded", error),
  });
}

export function useHasDraft(): boolean {
  return useEditor(({ draft }) => isDirty(draft));
}

function useAfterwards() {
  const { tape } = useTapeModel();
  const queries = useQueryClient();
  const dispatch = useEditor((editor) => editor.dispatch);
  const dropDraft = () => {
    dispatch({ type: "draft.emptied", version: 0 });
    void queries.invalidateQueries({ queryKey: fixesKey(tape.id) });
    queries.setQueryData(tapeKeys.tape(tape.id), (known: Tape | undefined) =>
      known === undefined ? known : { ...known, draft: null },
    );
  };
  const refresh = () => {
    void queries.invalidateQueries({ queryKey: tapeKeys.tape(tape.id), exact: true });
    void queries.invalidateQueries({ queryKey: tapeKeys.lists });
    void queries.invalidateQueries({ queryKey: jobKeys.all });
  };
  return { dropDraft, refresh };
}
