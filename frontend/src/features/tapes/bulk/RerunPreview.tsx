/** The preview of a rerun: which tapes fit, which do not and why, and the estimated cost. */
import type { EstimateRange, RerunPreview as Preview } from "@/api/types";
import classes from "@/features/tapes/bulk/bulk.module.css";
import { LeftOutLines } from "@/features/tapes/bulk/LeftOutLines";
import { countOf, formatCost, formatExact, formatTokens } from "@/lib/format";
import { dollars } from "@/lib/money";

export function RerunPreview({ preview }: { preview: Preview }) {
  return (
    <section className={`ts-stack ts-panel ${classes.preview}`} aria-label="Preview">
      <p role="status">{summarise(preview)}</p>
      <LeftOutLines leftOut={preview.left_out} />
      {preview.fitting > 0 && <p>{describeEstimate(preview)}</p>}
    </section>
  );
}

/** States how many tapes were checked: a count is never truncated silently. */
function summarise({ tape_count: total, looked_at: seen, fitting }: Preview): string {
  const fit = fitting === 0 ? "none can be rerun" : `${formatExact(fitting)} can be rerun`;
  return seen < total
    ? `Of the first ${formatExact(seen)} of ${countOf(total, "tape")}: ${fit}.`
    : `Of ${countOf(total, "tape")}: ${fit}.`;
}

function describeEstimate({ estimate }: Preview): string {
  if (estimate === null || estimate.tokens === null) {
    return "No estimate: this agent has not run with this model yet.";
  }
  const { tokens, cost_micro_usd: cost, sample_count: samples } = estimate;
  const words = [
    `about ${formatTokens(Math.round(tokens.likely))} tokens`,
    cost === null ? "at an unknown price, so a dollar budget has no effect" : describeCost(cost),
  ];
  return `In total ${words.join(", ")}; estimated from ${countOf(samples, "tape")}.`;
}

function describeCost({ low, likely, high }: EstimateRange): string {
  const [from, middle, to] = [low, likely, high].map((cost) => formatCost(dollars(cost)));
  return from === to ? `${middle}` : `${middle} (${from} to ${to})`;
}
