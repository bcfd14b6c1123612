/** Everything that the panes of one editor draw from, computed once. */
import { createContext, useContext, useMemo } from "react";

import { buildOutline, type Outline, type ReadPage } from "@/api/outline";
import { useCanWrite } from "@/api/session";
import type { OutlineRow, Tape } from "@/api/types";
import {
  applied,
  applyOperations,
  editedContext,
  findUnaffected,
  firstEdited,
  resumePoint,
  type Slot,
} from "@/features/tape-editor/draft";
import { useEditor } from "@/features/tape-editor/editor/editorStore";
import { findLanes, type Lanes } from "@/features/tape-editor/editor/lanes";
import { isFormKind } from "@/lib/formKinds";
import { isUnfinished } from "@/features/tape-editor/live";
import { buildSteps, type Steps } from "@/features/tape-editor/editor/rows";

export interface TapeModel {
  tape: Tape;
  /** As recorded, with the steps received over the socket. */
  outline: Outline;
  /** How many of them came over HTTP. */
  recordedCount: number;
  slots: readonly Slot[];
  steps: Steps;
  lanes: Lanes;
  /** The first place that the draft changes. */
  editedAt: number | null;
  /** How many steps are kept when the agent continues after the last edit. */
  resumeAt: number | null;
  /** Steps behind it that are kept, too: those of other lanes than the edited. */
  unaffected: ReadonlySet<number>;
  /** A run has not ended; it may be waiting for a person. */
  isRunning: boolean;
  /** The person may edit, and no step is being written, so places do not move. */
  canEdit: boolean;
}

export function useBuiltModel(tape: Tape, pages: readonly (ReadPage | undefined)[]): TapeModel {
  const streamed = useEditor(({ live }) => live.steps);
  const operations = useEditor((editor) => editor.draft.operations);
  const appliedCount = useEditor((editor) => editor.draft.appliedCount);
  const isRunning = useEditor(({ live }) => isUnfinished(live.state));
  const isResting = useEditor(({ live }) => live.state === "waiting" || live.state === "paused");
  const canWrite = useCanWrite();
  const recordedCount = tape.step_count;
  const outline = useMemo(
    () => joinOutline(recordedCount, pages, streamed),
    [recordedCount, pages, streamed],
  );
  const slots = useMemo(
    () => applyOperations(outline.length, applied({ operations, appliedCount })),
    [outline.length, operations, appliedCount],
  );
  const hasContext = useEditor(({ draft }) => editedContext(applied(draft)) !== undefined);
  return useMemo(() => {
    const opening = hasContext ? countOpening(outline) : null;
    const resumeAt = resumePoint(slots, outline.length, opening);
    const editedAt = firstEdited(slots, outline.length, opening);
    const stepCount = outline.length;
    const lanes = findLanes(slots, outline);
    const edited = { slots, stepCount, editedAt, resumeAt, hasContext };
    const unaffected = lanes.all.length === 0 ? NONE : findUnaffected(edited, factsOf(outline));
    return {
      tape,
      outline,
      recordedCount,
      slots,
      steps: buildSteps(slots, outline, { editedAt, resumeAt, unaffected }),
      lanes,
      editedAt,
      resumeAt,
      unaffected,
      isRunning,
      canEdit: canWrite && !tape.is_archived && (!isRunning || isResting),
    };
  }, [tape, outline, recordedCount, slots, hasContext, isRunning, isResting, canWrite]);
}

const NONE: ReadonlySet<number> = new Set();

function factsOf(outline: Outline) {
  return (at: number) => ({
    lane: outline.laneAt(at),
    isObservation: outline.at(at)?.family === "observation",
  });
}

/** A dialogue about a form begins with looking for it, so the first steps tell. */
const FORM_BEGINS_WITHIN = 100;

export function hasForm({ outline }: TapeModel): boolean {
  const end = Math.min(outline.length, FORM_BEGINS_WITHIN);
  for (let at = 0; at < end; at += 1) if (isFormKind(outline.at(at)?.kind ?? "")) return true;
  return false;
}

/** How many leading steps of the tape no agent wrote. */
function countOpening(outline: Outline): number {
  let count = 0;
  while (outline.at(count)?.agent === "") count += 1;
  return count;
}

/** The steps known over HTTP, then the streamed ones right after; a gap waits for the tape's
 * header. */
export function joinOutline(
  recordedCount: number,
  pages: readonly (ReadPage | undefined)[],
  streamed: ReadonlyMap<number, OutlineRow>,
): Outline {
  let length = recordedCount;
  while (streamed.has(length)) length += 1;
  return buildOutline(length, pages, streamed);
}

const ModelContext = createContext<TapeModel | null>(null);
export const ModelProvider = ModelContext.Provider;

export function useTapeModel(): TapeModel {
  const model = useContext(ModelContext);
  if (model === null) throw new Error("This must be rendered inside a tape editor.");
  return model;
}
