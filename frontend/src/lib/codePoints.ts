/** Positions in a text: the server counts code points, the browser UTF-16 units. */

/** The UTF-16 unit at which a code point begins; the text's length if it is past the end. */
export function unitOf(text: string, codePoint: number): number {
  let unit = 0;
  for (let count = 0; count < codePoint && unit < text.length; count += 1) {
    unit += (text.codePointAt(unit) ?? 0) > 0xffff ? 2 : 1;
  }
  return unit;
}

/** How many code points precede this UTF-16 unit. */
export function codePointOf(text: string, unit: number): number {
  let count = 0;
  for (let at = 0; at < unit && at < text.length; count += 1) {
    at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
  }
  return count;
}

export function sliceCodePoints(text: string, start: number, end: number): string {
  const from = unitOf(text, start);
  return text.slice(from, from + unitOf(text.slice(from), end - start));
}
