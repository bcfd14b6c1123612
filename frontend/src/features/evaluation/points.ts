/** A difference between two rates as text. */

interface Difference {
  value: number;
  low: number;
  high: number;
}

/** "+12 points (+3 to +21)". */
export function pointsOf({ value, low, high }: Difference): string {
  const points = (share: number) => {
    const whole = Math.round(100 * share);
    return whole > 0 ? `+${whole}` : String(whole).replace("-", "−");
  };
  return `${points(value)} points (${points(low)} to ${points(high)})`;
}
