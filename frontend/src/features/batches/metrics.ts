/** The metrics of batches: names, and numbers with their units. */
import type { BatchMetric, Interval } from "@/api/types";
import { formatCost, formatSeconds, formatTokens } from "@/lib/format";

export const METRICS: readonly BatchMetric[] = [
  "score",
  "steps",
  "errors",
  "tokens",
  "cost",
  "duration",
];

export const METRIC_WORDS: Record<BatchMetric, string> = {
  score: "Score",
  steps: "Steps",
  errors: "Errors",
  tokens: "Tokens",
  cost: "Cost",
  duration: "Worked",
};

const FORMATS: Record<BatchMetric, (value: number) => string> = {
  score: (value) => value.toFixed(2),
  steps: (value) => value.toFixed(1),
  errors: (value) => value.toFixed(2),
  tokens: (value) => formatTokens(Math.round(value)),
  cost: formatCost,
  duration: formatSeconds,
};

export function formatMetric(metric: BatchMetric, value: number): string {
  return FORMATS[metric](value);
}

/** "+1.5", "−$0.0020"; a value that rounds to zero gets "±". */
export function signedMetric(metric: BatchMetric, value: number): string {
  const size = formatMetric(metric, Math.abs(value));
  if (size === formatMetric(metric, 0)) return `±${size}`;
  return `${value > 0 ? "+" : "−"}${size}`;
}

interface Bounds {
  low: number | null;
  high: number | null;
}

/** "−0.5 to +2.1"; empty if the spread is unknown. */
export function boundsWords(metric: BatchMetric, { low, high }: Bounds): string {
  if (low === null || high === null) return "";
  return `${signedMetric(metric, low)} to ${signedMetric(metric, high)}`;
}

/** "+12 points": differences of rates are given in points. */
export function signedPoints(difference: number): string {
  const points = Math.round(difference * 100);
  if (points === 0) return "±0";
  return `${points > 0 ? "+" : "−"}${Math.abs(points)}`;
}

export function pointsBounds({ low, high }: Interval): string {
  return `${signedPoints(low)} to ${signedPoints(high)}`;
}

export function pValueWords(p: number): string {
  return p < 0.001 ? "p < 0.001" : `p = ${p.toPrecision(2)}`;
}
