/** Curves of many points, reduced to the few that a screen can show. */

export interface Point {
  x: number;
  y: number;
}

/** Reduce to about `most` points: the lowest and highest of each stretch, so that peaks remain. */
export function thinOut(points: readonly Point[], most: number): readonly Point[] {
  if (points.length <= most) return points;
  const size = Math.ceil((2 * points.length) / most);
  const thinned: Point[] = [];
  for (let start = 0; start < points.length; start += size) {
    const stretch = points.slice(start, start + size).toSorted((one, other) => one.y - other.y);
    const ends = new Set([stretch[0], stretch.at(-1)].filter((point) => point !== undefined));
    thinned.push(...[...ends].toSorted((one, other) => one.x - other.x));
  }
  return thinned;
}

/** A few round numbers from `low` to `high`, for grid lines. */
export function roundTicks(low: number, high: number, count = 4): number[] {
  const rough = (high - low) / count;
  if (!(rough > 0)) return [low];
  const power = 10 ** Math.floor(Math.log10(rough));
  const size = ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power;
  const first = Math.ceil(low / size);
  const length = Math.floor(high / size) - first + 1;
  return Array.from({ length }, (_, at) => Number(((first + at) * size).toPrecision(12)));
}
