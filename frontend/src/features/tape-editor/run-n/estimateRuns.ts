/** From the estimates of one run with each model to that of all runs together, in words. */
import type { Estimate } from "@/api/types";
import { formatCost, formatTokens } from "@/lib/format";
import { dollars } from "@/lib/money";

/** Each model has the same share of the runs; without an estimate for one, there is none at all. */
export function estimateRuns(estimates: readonly Estimate[], runs: number): string {
  const unknown = estimates.find(({ calls }) => calls === null);
  if (unknown !== undefined) {
    return estimates.length === 1
      ? unknown.basis
      : "No estimate: this agent has not run with all of these models yet.";
  }
  const share = runs / estimates.length;
  const costs = estimates.map(({ cost_micro_usd: cost }) => cost?.likely);
  const cost = costs.reduce((sum, one) => add(sum, one), 0);
  const words = [
    `about ${formatTokens(Math.round(sumOf(estimates.map(likelyTokens)) * share))} tokens`,
    ...(cost === undefined ? [] : [formatCost(dollars(cost * share))]),
  ].join(", ");
  return estimates.some(({ is_per_call: isPerCall }) => isPerCall)
    ? `${words} for one call each`
    : words;
}

function likelyTokens({ input_tokens: input, output_tokens: output }: Estimate): number {
  return (input?.likely ?? 0) + (output?.likely ?? 0);
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

/** One unknown part makes the sum unknown. */
function add(sum: number | undefined, value: number | undefined): number | undefined {
  return sum === undefined || value === undefined ? undefined : sum + value;
}
