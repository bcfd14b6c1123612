import type { TapeDiff } from "@/api/types";
import classes from "@/features/tape-diff/diff.module.css";
import {
  formatCost,
  formatCostSum,
  formatExact,
  formatScore,
  formatSeconds,
  formatTokens,
  knownCost,
  type CostSum,
} from "@/lib/format";

type Side = TapeDiff["left"];

interface DiffDeltasProps {
  left: Side;
  right: Side;
}

/** How much more or less the right tape used than the left. */
export function DiffDeltas({ left, right }: DiffDeltasProps) {
  return (
    <dl className={classes.deltas}>
      {left.score !== null && right.score !== null && (
        <Delta name="Score" one={left.score} other={right.score} format={formatScore} />
      )}
      <Delta name="Steps" one={left.step_count} other={right.step_count} format={formatExact} />
      <Delta name="Errors" one={left.error_count} other={right.error_count} format={formatExact} />
      <Delta
        name="LLM calls"
        one={left.totals.llm_call_count}
        other={right.totals.llm_call_count}
        format={formatExact}
      />
      <Delta
        name="Input tokens"
        one={left.totals.input_tokens}
        other={right.totals.input_tokens}
        format={formatTokens}
      />
      <Delta
        name="Output tokens"
        one={left.totals.output_tokens}
        other={right.totals.output_tokens}
        format={formatTokens}
      />
      <CostDelta left={left.totals} right={right.totals} />
      <Delta
        name="Time worked"
        one={left.totals.duration_seconds}
        other={right.totals.duration_seconds}
        format={formatSeconds}
      />
    </dl>
  );
}

interface DeltaProps {
  name: string;
  one: number;
  other: number;
  format: (value: number) => string;
}

/** Omitted if both values are zero. */
function Delta({ name, one, other, format }: DeltaProps) {
  if (one === 0 && other === 0) return null;
  return (
    <div className={classes.delta}>
      <dt>{name}</dt>
      <dd>
        {format(one)} → {format(other)}
        <span className={classes.change}>{describeDelta(one, other, format)}</span>
      </dd>
    </div>
  );
}

/** The difference is shown only if all calls of both sides have a price. */
function CostDelta({ left, right }: { left: CostSum; right: CostSum }) {
  const [one, other] = [knownCost(left), knownCost(right)];
  const isNothing = left.llm_call_count === 0 && right.llm_call_count === 0;
  if (isNothing || (one === 0 && other === 0)) return null;
  return (
    <div className={classes.delta}>
      <dt>Cost</dt>
      <dd>
        {formatCostSum(left)} → {formatCostSum(right)}
        {one !== null && other !== null && (
          <span className={classes.change}>{describeDelta(one, other, formatCost)}</span>
        )}
      </dd>
    </div>
  );
}

export function describeDelta(
  one: number,
  other: number,
  format: (value: number) => string,
): string {
  if (one === other) return "±0";
  return `${other > one ? "+" : "−"}${format(Math.abs(other - one))}`;
}
