/** A small button next to text that is selected in a card: writes a note on it. */
import { Button, Portal } from "@mantine/core";
import { IconMessagePlus } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useState } from "react";

import { stepsQuery } from "@/api/tapes";
import { findSelection } from "@/features/tape-editor/notes/anchors";
import classes from "@/features/tape-editor/notes/notes.module.css";
import { useNoteWriting } from "@/features/tape-editor/notes/NotesProvider";
import { readSelection, type TextSelection } from "@/features/tape-editor/notes/textSelection";
import { useTapeModel } from "@/features/tape-editor/editor";
import { useKeys, type KeyBinding } from "@/lib/keys";

export function SelectionComment({ selected }: { selected: number | null }) {
  const [selection, setSelection] = useState<TextSelection | null>(null);
  const onComment = useComment(selected);
  useEffect(() => {
    // While the mouse button is still down, this button would be in the way.
    const look = () => setSelection(readSelection());
    document.addEventListener("pointerup", look);
    document.addEventListener("keyup", look);
    return () => {
      document.removeEventListener("pointerup", look);
      document.removeEventListener("keyup", look);
    };
  }, []);
  const isShown = selection !== null;
  useEffect(() => {
    // Reading the selection on each scroll makes the browser lay out the page: only while shown.
    if (!isShown) return;
    const clear = () => {
      if (window.getSelection()?.isCollapsed !== false) setSelection(null);
    };
    document.addEventListener("selectionchange", clear);
    document.addEventListener("scroll", clear, { capture: true, passive: true });
    return () => {
      document.removeEventListener("selectionchange", clear);
      document.removeEventListener("scroll", clear, { capture: true });
    };
  }, [isShown]);
  const bindings = useMemo(
    (): KeyBinding[] => [
      { keys: "c", label: "Comment on the step or the selected text", run: () => void onComment() },
    ],
    [onComment],
  );
  useKeys("Tape", bindings);
  if (selection === null) return null;
  return (
    <Portal>
      <Button
        className={classes.comment}
        style={{ top: selection.top, left: selection.left }}
        leftSection={<IconMessagePlus size={14} />}
        // The selection must survive the press.
        onPointerDown={(event) => event.preventDefault()}
        onClick={() => void onComment()}
      >
        Comment
      </Button>
    </Portal>
  );
}

/** Starts a note on the selected text, or on the chosen step if nothing is selected. */
function useComment(selected: number | null) {
  const { tape, steps } = useTapeModel();
  const queries = useQueryClient();
  const { onWrite } = useNoteWriting();
  return useCallback(async () => {
    const selection = readSelection();
    const index = selection?.index ?? selected;
    const row = index === null ? undefined : steps.at(index);
    const origin = row?.slot.origin ?? null;
    if (selection === null || row === undefined || origin === null) {
      onWrite(origin, row?.index ?? null, null);
      return;
    }
    const page = await queries.query({
      ...stepsQuery(tape.id, origin, 1),
      staleTime: Infinity,
    });
    const body = page.items[0]?.body;
    const anchor =
      body === undefined
        ? null
        : findSelection(body, selection.text, selection.field, selection.offset);
    window.getSelection()?.removeAllRanges();
    onWrite(origin, row.index, anchor);
  }, [tape.id, steps, queries, onWrite, selected]);
}
