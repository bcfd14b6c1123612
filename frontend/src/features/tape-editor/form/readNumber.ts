const NUMBER = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?$/i;
const DIGITS = /^[-+]?\d+$/;

/** The number in a text as people write it; `null` if JSON could not represent it exactly. */
export function readNumber(text: string, isInteger: boolean): number | null {
  const word = text.trim();
  const read = NUMBER.test(word) ? Number(word) : NaN;
  if (!Number.isFinite(read)) return null;
  if (isInteger && !Number.isInteger(read)) return null;
  // Longer ones would lose digits.
  return DIGITS.test(word) && !Number.isSafeInteger(read) ? null : read;
}
