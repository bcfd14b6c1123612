import type { Estimate } from "@/api/types";
import { formatCost, formatTokens } from "@/lib/format";

/** What all runs together will probably take: that of one, so many times. */
export function RunsEstimate({ estimate, runs }: { estimate: Estimate | null; runs: number }) {
  const words = estimate === null ? "" : describe(estimate, runs);
  return (
    <span className="ts-dimmed" title={estimate?.basis}>
      {words === "" ? "no estimate yet" : words}
    </span>
  );
}

function describe(estimate: Estimate, runs: number): string {
  const { input_tokens: input, output_tokens: output, cost_micro_usd: cost } = estimate;
  if (input === null && output === null) return "";
  const tokens = ((input?.likely ?? 0) + (output?.likely ?? 0)) * runs;
  const parts = [
    `about ${formatTokens(Math.round(tokens))} tokens`,
    ...(cost === null ? [] : [formatCost((cost.likely * runs) / 1_000_000)]),
  ];
  return parts.join(", ") + (estimate.is_per_call ? " for one call each" : "");
}
