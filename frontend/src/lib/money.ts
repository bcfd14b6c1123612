/** Amounts as the server counts them, turned into what the widgets draw. */

/** Dollars of an amount in millionths of a dollar. */
export function dollars(microUsd: number | null | undefined): number | null {
  return microUsd === null || microUsd === undefined ? null : microUsd / 1_000_000;
}
