/** How a prompt's tokens are distributed over its messages: providers report only the sum. */

/** Splits a total in proportion to the sizes, into whole numbers that add up to it. */
export function shareTokens(sizes: readonly number[], total: number): number[] {
  const all = sizes.reduce((sum, size) => sum + size, 0);
  if (all === 0) return sizes.map(() => 0);
  const exact = sizes.map((size) => (size / all) * total);
  const shares = exact.map(Math.floor);
  const left = total - shares.reduce((sum, share) => sum + share, 0);
  const byRest = exact
    .map((value, at) => ({ at, rest: value - Math.floor(value) }))
    .sort((one, other) => other.rest - one.rest);
  for (const { at } of byRest.slice(0, left)) shares[at] = (shares[at] ?? 0) + 1;
  return shares;
}

/** The size of a message or a tool in a prompt: everything of it that is sent. */
export function sizeOf(value: unknown): number {
  if (typeof value === "string") return value.length;
  if (Array.isArray(value)) return value.reduce((sum: number, item) => sum + sizeOf(item), 0);
  if (typeof value === "object" && value !== null) {
    return Object.entries(value).reduce((sum, [name, item]) => sum + name.length + sizeOf(item), 0);
  }
  return value === null || value === undefined ? 0 : JSON.stringify(value).length;
}
