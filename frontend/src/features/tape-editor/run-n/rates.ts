/** Rates in words: whole per cent, because a few branches do not justify more precision. */
import type { Interval } from "@/api/types";

export function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

/** "+40", "0", "−12": differences of rates are in percentage points. */
export function signedPoints(difference: number): string {
  const points = Math.round(difference * 100);
  return points > 0 ? `+${points}` : points < 0 ? `−${-points}` : "0";
}

/** "+0.40", "0.00", "−0.12": scores go from 0 to 1. */
export function signedScore(difference: number): string {
  const size = Math.abs(difference).toFixed(2);
  if (Number(size) === 0) return size;
  return `${difference > 0 ? "+" : "−"}${size}`;
}

export function intervalWords({ low, high }: Interval): string {
  return `${Math.round(low * 100)}–${percent(high)}`;
}
