/** Which lanes are folded; the map folds and unfolds them, too. */
import { useMemo } from "react";

import { type Lane, type Lanes, useEditor } from "@/features/tape-editor/editor";

/** The outermost folded lane that a step is in; `null` in place of the function: none is folded. */
export type FoldedLanes = ((index: number) => Lane | null) | null;

export function useFoldedLanes(lanes: Lanes): FoldedLanes {
  const toggled = useEditor(({ unfolded }) => unfolded);
  return useMemo(() => {
    const folded = lanes.all.filter(({ key }) => toggled.has(key));
    if (folded.length === 0) return null;
    return (index) => folded.find((lane) => lanes.isIn(lane, index)) ?? null;
  }, [lanes, toggled]);
}
