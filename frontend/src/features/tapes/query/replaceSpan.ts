/** Changing a query by code points, as the server counts them. */

export interface Replaced {
  text: string;
  /** UTF-16 place after what was added, for the caret. */
  caret: number;
}

/** Put a text in the place of the code points from `start` to `end`. */
export function replaceSpan(text: string, start: number, end: number, put: string): Replaced {
  const signs = Array.from(text);
  const before = signs.slice(0, start).join("") + put;
  return { text: before + signs.slice(end).join(""), caret: before.length };
}

/** How many code points are before a UTF-16 place. */
export function codePointsBefore(text: string, place: number): number {
  return Array.from(text.slice(0, place)).length;
}
