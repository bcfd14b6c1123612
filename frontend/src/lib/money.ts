/** Money: the server counts in millionths of a dollar, people in dollars. */

const MICRO = 1_000_000;

export function dollars(microUsd: number): number;
export function dollars(microUsd: number | null | undefined): number | null;
export function dollars(microUsd: number | null | undefined): number | null {
  return microUsd === null || microUsd === undefined ? null : microUsd / MICRO;
}

export function microDollars(amount: number): number;
export function microDollars(amount: number | null): number | null;
export function microDollars(amount: number | null): number | null {
  return amount === null ? null : Math.round(amount * MICRO);
}
