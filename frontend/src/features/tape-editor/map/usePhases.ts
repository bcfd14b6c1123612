/** Phases and lanes of the tape, and which of them are folded; { and } fold and unfold them. */
import { useCallback, useMemo } from "react";

import { useEditor, type TapeModel } from "@/features/tape-editor/editor";
import { type Lines, linesOf } from "@/features/tape-editor/map/find";
import { findPhases, isInPhase, listLanes, type Phase } from "@/features/tape-editor/map/phases";
import { useKeys } from "@/lib/keys";

export interface Phases {
  phases: readonly Phase[];
  /** The lines that are in no folded phase. */
  lines: Lines;
  isFolded: (phase: Phase) => boolean;
  isIn: (phase: Phase, index: number) => boolean;
  toggle: (phase: Phase) => void;
}

const NONE: readonly Phase[] = [];

/** With `isFinding`, hits are listed without phases. */
export function usePhases(
  { slots, outline, lanes }: TapeModel,
  lines: Lines,
  { selected, isFinding }: { selected: number | null; isFinding: boolean },
): Phases {
  // In the store, so that they stay folded while another pane is shown in place of this one.
  const toggled = useEditor(({ unfolded }) => unfolded);
  const dispatch = useEditor((editor) => editor.dispatch);
  const found = useMemo(
    () => (isFinding ? NONE : [...findPhases(slots, outline), ...listLanes(lanes)]),
    [isFinding, slots, outline, lanes],
  );
  const isFolded = useCallback(({ key }: Phase) => toggled.has(key), [toggled]);
  const toggle = useCallback(
    ({ key }: Phase) => dispatch({ type: "text.toggled", key }),
    [dispatch],
  );
  const isIn = useCallback(
    (phase: Phase, index: number) => isInPhase(phase, lanes, index),
    [lanes],
  );
  const { phases, shown } = useMemo(() => {
    const folded = found.filter(isFolded);
    if (folded.length === 0) return { phases: inOrder(found), shown: lines };
    const hidden = new Uint8Array(slots.length);
    for (const phase of folded) {
      for (let at = phase.start; at < phase.end; at += 1) if (isIn(phase, at)) hidden[at] = 1;
    }
    // What is inside a folded phase has no row of its own.
    const isOutside = (phase: Phase) =>
      !folded.some((other) => other !== phase && contains(other, phase, isIn));
    return {
      phases: inOrder(found.filter(isOutside)),
      shown: linesOf(slots.length, (index) => hidden[index] !== 1 && lines.has(index)),
    };
  }, [found, isFolded, isIn, lines, slots.length]);
  const change = (fold: boolean) => () => {
    const phase = selected === null ? undefined : phases.findLast((one) => isIn(one, selected));
    if (phase !== undefined && isFolded(phase) !== fold) toggle(phase);
  };
  useKeys("Map", [
    { keys: "{", label: "Fold the phase or lane", run: change(true) },
    { keys: "}", label: "Unfold the phase or lane", run: change(false) },
  ]);
  return { phases, lines: shown, isFolded, isIn, toggle };
}

/** A phase comes before the lane that starts with it, and a lane before those inside it. */
function inOrder(phases: readonly Phase[]): Phase[] {
  return [...phases].sort((one, other) => one.start - other.start);
}

function contains(outer: Phase, inner: Phase, isIn: Phases["isIn"]): boolean {
  if (outer.lane === undefined) return isIn(outer, inner.start);
  return inner.lane?.path.startsWith(`${outer.lane.path}/`) === true && isIn(outer, inner.start);
}
