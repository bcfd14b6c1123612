/** A difference between two rates as text. */

interface Difference {
  value: number;
  low: number;
  high: number;
}

/** "+12 points (+3 to +21)". */
export function pointsOf({ value, low, high }: Difference): string {
  return `${barePoints(value)} (${signed(low)} to ${signed(high)})`;
}

/** "+12 points", where the interval stands elsewhere. */
export const barePoints = (share: number) => `${signed(share)} points`;

function signed(share: number): string {
  const whole = Math.round(100 * share);
  return whole > 0 ? `+${whole}` : String(whole).replace("-", "−");
}
