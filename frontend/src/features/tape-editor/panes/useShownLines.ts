/** The steps that the tape pane shows: all, or those that the chosen detail does not hide. */
import { useMemo } from "react";

import { isHidden, isRevealed } from "@/features/tape-editor/look";
import { type TapeModel, useEditor } from "@/features/tape-editor/editor";
import { allLines, type Lines, linesOf } from "@/features/tape-editor/map";

export function useShownLines({ slots, outline }: TapeModel, selected: number | null): Lines {
  const detail = useEditor(({ look }) => look.detail);
  const revealed = useEditor((editor) => editor.revealed);
  const lines = useMemo(() => {
    if (detail === "all") return allLines(slots.length);
    return linesOf(slots.length, (index) => {
      const slot = slots[index];
      if (slot === undefined || slot.origin === null || slot.written !== null) return true;
      const row = outline.at(slot.origin);
      return row === undefined || !isHidden(detail, row) || isRevealed(revealed, index);
    });
  }, [detail, revealed, slots, outline]);
  return useMemo(
    () =>
      selected === null || selected >= slots.length || lines.has(selected)
        ? lines
        : linesOf(slots.length, (index) => index === selected || lines.has(index)),
    [lines, selected, slots.length],
  );
}
