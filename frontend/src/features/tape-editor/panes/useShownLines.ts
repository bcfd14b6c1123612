/** The steps that the tape pane shows: all, or those that the chosen detail does not hide. */
import { useMemo } from "react";

import { isHidden, isRevealed } from "@/features/tape-editor/look";
import { type TapeModel, useEditor } from "@/features/tape-editor/editor";
import { useFoldedLanes } from "@/features/tape-editor/lanes";
import { allLines, type Lines, linesOf } from "@/features/tape-editor/map";

export function useShownLines(
  { slots, outline, lanes }: TapeModel,
  selected: number | null,
): Lines {
  const detail = useEditor(({ look }) => look.detail);
  const revealed = useEditor((editor) => editor.revealed);
  const isFolded = useFoldedLanes(lanes);
  const lines = useMemo(() => {
    if (detail === "all" && isFolded === null) return allLines(slots.length);
    return linesOf(slots.length, (index) => {
      const folded = isFolded?.(index) ?? null;
      if (folded !== null) return index === folded.first;
      const slot = slots[index];
      if (slot === undefined || slot.origin === null || slot.written !== null) return true;
      const row = outline.at(slot.origin);
      return row === undefined || !isHidden(detail, row) || isRevealed(revealed, index);
    });
  }, [detail, revealed, slots, outline, isFolded]);
  return useMemo(() => {
    const isThere = selected === null || selected >= slots.length || lines.has(selected);
    return isThere || (isFolded?.(selected) ?? null) !== null
      ? lines
      : linesOf(slots.length, (index) => index === selected || lines.has(index));
  }, [lines, selected, slots.length, isFolded]);
}
