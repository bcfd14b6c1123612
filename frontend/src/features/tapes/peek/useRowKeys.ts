/** The keys of the list of tapes: move the mark, preview, open, select, judge. */
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";

import { tapePreviewQuery } from "@/api/tapes";
import type { TapeRow } from "@/api/types";
import { rowToPeek, type MarkedRow } from "@/features/tapes/peek/useMarkedRow";
import { useKeys } from "@/lib/keys";
import { OUTCOME_WORDS, VERDICTS, type Outcome } from "@/lib/outcomes";

interface RowActions {
  marked: MarkedRow;
  onOpen: (row: TapeRow) => void;
  onToggle: (row: TapeRow) => void;
  /** `null` for people who may not write: they have no keys for it. */
  onJudge: ((id: string, outcome: Outcome) => void) | null;
}

export function useRowKeys(
  rows: readonly TapeRow[],
  { marked, onOpen, onToggle, onJudge }: RowActions,
): void {
  const preview = useQuery({ ...tapePreviewQuery(marked.id ?? ""), enabled: marked.isPeeked });
  const peeked = marked.isPeeked ? preview.data?.tape : undefined;
  const bindings = useMemo(() => {
    const at = rows.findIndex((row) => row.id === marked.id);
    const current = rows[at];
    // The previewed tape can be opened and judged even if the list does not contain it, or not yet.
    const shown = current ?? peeked;
    const judged = current?.id ?? (marked.isPeeked ? marked.id : null);
    const beside = (by: number) => rows[Math.min(rows.length - 1, Math.max(0, at + by))];
    const next = beside(1);
    const previous = beside(at < 0 ? 0 : -1);
    const togglePeek = () => {
      const id = rowToPeek(rows, marked.id);
      if (marked.isPeeked) marked.closePeek();
      else if (id !== null) marked.peek(id);
    };
    return [
      { keys: "j", label: "Next tape", run: () => next && marked.mark(next.id), isMove: true },
      {
        keys: "k",
        label: "Previous tape",
        run: () => previous && marked.mark(previous.id),
        isMove: true,
      },
      { keys: "p", label: "Open or close the preview", run: togglePeek },
      { keys: "Space", label: "Open or close the preview", run: togglePeek, isMove: true },
      {
        keys: "J",
        label: "Preview the next tape",
        run: () => next && marked.peek(next.id),
        isMove: true,
      },
      {
        keys: "K",
        label: "Preview the previous tape",
        run: () => previous && marked.peek(previous.id),
        isMove: true,
      },
      { keys: "Enter", label: "Open the tape", run: () => shown && onOpen(shown) },
      { keys: "x", label: "Select the tape", run: () => current && onToggle(current) },
      ...(onJudge === null ? [] : VERDICTS).map(({ outcome, keys }) => ({
        keys,
        label: `Judge the tape: ${OUTCOME_WORDS[outcome].toLowerCase()}`,
        run: () => {
          if (judged !== null) onJudge?.(judged, outcome);
        },
      })),
      ...(marked.isPeeked
        ? [{ keys: "Escape", label: "Close the preview", run: marked.closePeek, isMove: true }]
        : []),
    ];
  }, [rows, marked, peeked, onOpen, onToggle, onJudge]);
  useKeys("Tapes", bindings);
}
