/** A field that differs between two things, and its words side by side. */

export interface Words {
  op: "equal" | "insert" | "delete";
  text: string;
}

export interface Field {
  path: string;
  /** Without it on one side, that side's value says nothing. */
  op: "changed" | "added" | "removed";
  old: unknown;
  new: unknown;
  words: readonly Words[] | null;
  /** A side is so large that only its beginning is here. */
  is_cut?: boolean;
}

/** The words of one side: what is equal, and what only that side has. */
export function sideOf(
  words: readonly Words[],
  side: "left" | "right",
): { text: string; isMarked: boolean }[] {
  const other = side === "left" ? "insert" : "delete";
  return words
    .filter(({ op }) => op !== other)
    .map(({ op, text }) => ({ text, isMarked: op !== "equal" }));
}
