/** The phases of the tape, and which of them are folded; { and } fold and unfold them. */
import { useCallback, useMemo } from "react";

import { useEditor, type TapeModel } from "@/features/tape-editor/editor";
import { type Lines, linesOf } from "@/features/tape-editor/map/find";
import { findPhases, type Phase } from "@/features/tape-editor/map/phases";
import { useKeys } from "@/lib/keys";

export interface Phases {
  phases: readonly Phase[];
  /** The lines that are in no folded phase. */
  lines: Lines;
  isFolded: (phase: Phase) => boolean;
  toggle: (phase: Phase) => void;
}

const NONE: readonly Phase[] = [];

/** With `isFinding`, hits are listed without phases. */
export function usePhases(
  { slots, outline }: TapeModel,
  lines: Lines,
  { selected, isFinding }: { selected: number | null; isFinding: boolean },
): Phases {
  // In the store, so that they stay folded while another pane is shown in place of this one.
  const toggled = useEditor(({ unfolded }) => unfolded);
  const dispatch = useEditor((editor) => editor.dispatch);
  const phases = useMemo(
    () => (isFinding ? NONE : findPhases(slots, outline)),
    [isFinding, slots, outline],
  );
  const isFolded = useCallback(({ key }: Phase) => toggled.has(key), [toggled]);
  const toggle = useCallback(
    ({ key }: Phase) => dispatch({ type: "text.toggled", key }),
    [dispatch],
  );
  const shown = useMemo(() => {
    const folded = phases.filter(isFolded);
    if (folded.length === 0) return lines;
    const hidden = new Uint8Array(slots.length);
    for (const { start, end } of folded) hidden.fill(1, start, end);
    return linesOf(slots.length, (index) => hidden[index] !== 1 && lines.has(index));
  }, [phases, isFolded, lines, slots.length]);
  const change = (fold: boolean) => () => {
    const phase = phases.find(
      ({ start, end }) => selected !== null && start <= selected && selected < end,
    );
    if (phase !== undefined && isFolded(phase) !== fold) toggle(phase);
  };
  useKeys("Map", [
    { keys: "{", label: "Fold the phase in the map", run: change(true) },
    { keys: "}", label: "Unfold the phase in the map", run: change(false) },
  ]);
  return { phases, lines: shown, isFolded, toggle };
}
