const NUMBER = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?$/i;
const DIGITS = /^[-+]?\d+$/;

/** The number that a text says as people write it; `null` where JSON could not hold it as it is. */
export function readNumber(text: string, isInteger: boolean): number | null {
  const word = text.trim();
  const read = NUMBER.test(word) ? Number(word) : NaN;
  if (!Number.isFinite(read)) return null;
  if (isInteger && !Number.isInteger(read)) return null;
  // Longer ones would come back as others.
  return DIGITS.test(word) && !Number.isSafeInteger(read) ? null : read;
}
