/** Edits a query by code points, as the server counts them. */

export interface Replaced {
  text: string;
  /** The UTF-16 position after the inserted text, for the caret. */
  caret: number;
}

/** Replace the code points from `start` to `end` with a text. */
export function replaceSpan(text: string, start: number, end: number, put: string): Replaced {
  const signs = Array.from(text);
  const before = signs.slice(0, start).join("") + put;
  return { text: before + signs.slice(end).join(""), caret: before.length };
}

/** How many code points precede a UTF-16 position. */
export function codePointsBefore(text: string, place: number): number {
  return Array.from(text.slice(0, place)).length;
}
