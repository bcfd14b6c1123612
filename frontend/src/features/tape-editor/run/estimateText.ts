/** Estimates and outcomes in few words. */
import type { Estimate, EstimateRange, RunResult } from "@/api/types";
import { countOf, formatCost, formatSeconds, formatTokens } from "@/lib/format";
import { dollars } from "@/lib/money";

/** "about 3 calls, 4.2k tokens, $0.0031, 12 s worked"; empty when nothing is known. */
export function estimateText(estimate: Estimate): string {
  const { calls, cost_micro_usd: cost, seconds, is_per_call: isPerCall } = estimate;
  if (calls === null) return "";
  const parts = [
    isPerCall ? "a call:" : `about ${roughCount(calls.likely, "call")},`,
    `${formatTokens(likelyTokens(estimate))} tokens`,
    ...(cost === null ? [] : [formatCost(dollars(cost.likely))]),
    ...(seconds === null ? [] : [`${formatSeconds(seconds.likely)} worked`]),
  ];
  return `${parts[0]} ${parts.slice(1).join(", ")}`;
}

/** One line for each number with its range. */
export function estimateLines(estimate: Estimate): string[] {
  const { calls, input_tokens: input, output_tokens: output } = estimate;
  const { cost_micro_usd: cost, seconds } = estimate;
  const lines: [string, EstimateRange | null, (value: number) => string][] = [
    ["Calls", calls, (value) => String(Math.round(value))],
    ["Input tokens", input, formatTokensOf],
    ["Output tokens", output, formatTokensOf],
    ["Cost", cost, (value) => formatCost(dollars(value))],
    ["Time worked", seconds, formatSeconds],
  ];
  return lines.flatMap(([name, range, format]) =>
    range === null ? [] : [`${name}: ${rangeText(range, format)}`],
  );
}

function formatTokensOf(value: number): string {
  return formatTokens(Math.round(value));
}

function rangeText({ low, likely, high }: EstimateRange, format: (value: number) => string) {
  const [from, middle, to] = [format(low), format(likely), format(high)];
  return from === to ? middle : `${middle} (${from} to ${to})`;
}

function likelyTokens({ input_tokens, output_tokens }: Estimate): number {
  return Math.round((input_tokens?.likely ?? 0) + (output_tokens?.likely ?? 0));
}

function roughCount(count: number, noun: string): string {
  return countOf(Math.max(1, Math.round(count)), noun);
}

/** What a run took: "4 steps, 3 calls, 4.1k tokens, $0.0030, 11 s worked". */
export function outcomeText(run: RunResult): string {
  const { new_step_count: steps, call_count: calls, tokens, cost_micro_usd: cost } = run;
  return [
    countOf(steps, "step"),
    countOf(calls, "call"),
    `${formatTokens(tokens)} tokens`,
    ...(calls === 0 ? [] : [cost === null ? "cost unknown" : formatCost(dollars(cost))]),
    `${formatSeconds(run.seconds)} worked`,
  ].join(", ");
}
