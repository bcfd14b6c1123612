/** Node runs of which the map shows only the first step; [ and ] fold and unfold them. */
import { useCallback, useDeferredValue, useMemo, useState } from "react";

import { type Lines, linesOf } from "@/features/tape-editor/map/find";
import type { Steps, TapeModel } from "@/features/tape-editor/editor";
import { useKeys } from "@/lib/keys";

export interface FoldedRuns {
  /** The found steps that the map shows. */
  lines: Lines;
  isFolded: (key: string) => boolean;
  /** Fold or unfold the run that begins with a step. */
  toggle: (key: string) => void;
}

const NONE: ReadonlySet<string> = new Set();

export function useFoldedRuns(
  { slots, steps }: TapeModel,
  found: Lines,
  selected: number | null,
): FoldedRuns {
  const [folded, setFolded] = useState(NONE);
  const lines = useMemo(() => {
    if (folded.size === 0) return found;
    // Steps before this index are inside a folded run.
    let end = 0;
    return linesOf(slots.length, (index) => {
      if (index < end) return false;
      if (folded.has(slots[index]?.key ?? "")) end = steps.runEnd(index);
      return found.has(index);
    });
  }, [folded, found, slots, steps]);
  const toggle = useCallback((key: string) => {
    setFolded((before) => {
      const after = new Set(before);
      if (!after.delete(key)) after.add(key);
      return after;
    });
  }, []);
  const change = (isFolded: boolean) => () => {
    const start = selected === null ? null : startOfRun(steps, selected);
    const key = start === null ? undefined : slots[start]?.key;
    if (key !== undefined && folded.has(key) !== isFolded) toggle(key);
  };
  useKeys("Map", [
    { keys: "[", label: "Fold the node run in the map", run: change(true) },
    { keys: "]", label: "Unfold the node run in the map", run: change(false) },
  ]);
  const isFolded = useCallback((key: string) => folded.has(key), [folded]);
  return { lines: useDeferredValue(lines), isFolded, toggle };
}

/** The first step of the node run that a step is in; `null` outside of node runs. */
function startOfRun(steps: Steps, index: number): number | null {
  if (steps.at(index)?.isInRun !== true) return null;
  let start = index;
  while (start > 0 && !steps.beginsRun(start)) start -= 1;
  return start;
}
