/** A field that differs between two versions, and its word diff. */

export interface Words {
  op: "equal" | "insert" | "delete";
  text: string;
}

export interface Field {
  path: string;
  /** A field that is missing on one side has no meaningful value there. */
  op: "changed" | "added" | "removed";
  old: unknown;
  new: unknown;
  words: readonly Words[] | null;
  /** A side is so large that only its beginning was compared. */
  is_cut?: boolean;
}

/** The words of one side: the common ones, and those that only this side has. */
export function sideOf(
  words: readonly Words[],
  side: "left" | "right",
): { text: string; isMarked: boolean }[] {
  const other = side === "left" ? "insert" : "delete";
  return words
    .filter(({ op }) => op !== other)
    .map(({ op, text }) => ({ text, isMarked: op !== "equal" }));
}
