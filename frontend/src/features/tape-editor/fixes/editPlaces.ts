/** Where a fix changes its tape, and what is between the edits; pure. */
import type { Operation, Slot } from "@/features/tape-editor/draft";

export interface EditPlaces {
  /** Places that the fix wrote, on the edited tape. */
  written: readonly number[];
  /** The last step that is kept; the agent continues after it. */
  last: number;
  /** Steps between an earlier edit and the last one: recorded before that edit, and kept. */
  between: { from: number; to: number } | null;
}

/** `null` while nothing is edited. `resumeAt` is how many steps are kept. */
export function findPlaces(
  slots: readonly Slot[],
  editedAt: number | null,
  resumeAt: number | null,
): EditPlaces | null {
  if (editedAt === null || resumeAt === null) return null;
  const written = slots.flatMap(({ written: body, origin }, at) =>
    body !== null || origin === null ? [at] : [],
  );
  const last = resumeAt - 1;
  const isApart = slots.slice(editedAt + 1, last).some(({ written: body }) => body === null);
  return { written, last, between: isApart ? { from: editedAt + 1, to: last - 1 } : null };
}

/** The last edit can become a separate fix if the others do not move its place. */
export function canSplit(operations: readonly Operation[]): boolean {
  const isAlone = operations.at(-1)?.group === undefined;
  return operations.length > 1 && isAlone && operations.every(({ op }) => op === "replace");
}

/** A shorter description of an edit: where it is and what is there now. */
export function shortWords(words: string): string {
  return words.replace(/^(#\d+ [^:]*): .* → /, "$1 → ").replace(/^(#\d+) content → /, "$1 → ");
}
