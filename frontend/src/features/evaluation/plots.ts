/** Positions of points in the plots of a sweep, as plain numbers. */
import type { SweepReport } from "@/api/types";

type Variant = SweepReport["variants"][number];

/** A variant as a point: its score with its interval, and the cost of one run. */
export interface PlottedVariant {
  letter: string;
  label: string;
  score: number;
  low: number;
  high: number;
  /** Dollars per run; `null` if a call has no known price. */
  cost: number | null;
  /** Whether no variant that costs the same or less is better. */
  isFrontier: boolean;
}

const MICRO = 1_000_000;

/** The variants that have a score, in their original order. */
export function plotVariants(variants: readonly Variant[]): PlottedVariant[] {
  const points = variants.flatMap((one) => {
    if (one.score === null) return [];
    const { value, low, high } = one.score.estimate;
    return [{ ...named(one), score: value, low, high, cost: costOf(one) }];
  });
  return points.map((point) => ({ ...point, isFrontier: isOnFrontier(point, points) }));
}

const named = ({ variant: { letter, label } }: Variant) => ({ letter, label });

/** Per finished run; a missing run may have cost something too. */
function costOf(one: Variant): number | null {
  const runs = one.passed_count + one.failed_count;
  if (runs === 0 || one.unpriced_call_count > 0) return null;
  return one.cost_micro_usd / MICRO / runs;
}

interface Priced {
  letter: string;
  score: number;
  cost: number | null;
}

function isOnFrontier(point: Priced, all: readonly Priced[]): boolean {
  const { cost } = point;
  if (cost === null) return false;
  return !all.some(
    (other) =>
      other.cost !== null &&
      other.cost <= cost &&
      other.score >= point.score &&
      (other.cost < cost || other.score > point.score),
  );
}

/** The frontier from cheap to expensive, as the corners of a staircase. */
export function frontierOf(points: readonly PlottedVariant[]): { cost: number; score: number }[] {
  return points
    .flatMap(({ cost, score, isFrontier }) =>
      isFrontier && cost !== null ? [{ cost, score }] : [],
    )
    .sort((one, other) => one.cost - other.cost || one.score - other.score);
}
