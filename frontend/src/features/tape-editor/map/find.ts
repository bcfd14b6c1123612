/** Which steps a list shows, in order. */

/** The lines of a list of steps: line 0 is the first step that is shown. */
export interface Lines {
  readonly length: number;
  /** The step on a line. */
  at: (line: number) => number | undefined;
  /** The line of a step, or of the next step that is shown. */
  lineOf: (index: number) => number;
  has: (index: number) => boolean;
}

export function allLines(count: number): Lines {
  const has = (index: number) => index >= 0 && index < count;
  return {
    length: count,
    at: (line) => (has(line) ? line : undefined),
    lineOf: (index) => Math.min(Math.max(0, index), count),
    has,
  };
}

export function linesOf(count: number, isShown: (index: number) => boolean): Lines {
  const shown = new Int32Array(count);
  let length = 0;
  for (let index = 0; index < count; index += 1) {
    if (isShown(index)) {
      shown[length] = index;
      length += 1;
    }
  }
  const lineOf = (index: number) => {
    let low = 0;
    let high = length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((shown[middle] ?? 0) < index) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  return {
    length,
    at: (line) => (line >= 0 && line < length ? shown[line] : undefined),
    lineOf,
    has: (index) => lineOf(index) < length && shown[lineOf(index)] === index,
  };
}

/** The found step after or before the given one; without one, the first or the last. */
export function nextStep(found: Lines, step: number | null, by: 1 | -1): number | null {
  if (step === null) return found.at(by === 1 ? 0 : found.length - 1) ?? null;
  const line = found.lineOf(step);
  if (by === -1) return found.at(line - 1) ?? null;
  return found.at(found.has(step) ? line + 1 : line) ?? null;
}
