/** Numbers and times with their unit; the exact value shows on hover. */
import {
  countOf,
  formatCost,
  formatCostSum,
  formatExact,
  formatMoment,
  formatRelative,
  formatSeconds,
  formatTokens,
  type CostSum,
} from "@/lib/format";
import { dollars } from "@/lib/money";
import { useClock } from "@/lib/useClock";

interface QuantityProps {
  value: number | null | undefined;
}

export function Tokens({ value }: QuantityProps) {
  return <Exact text={formatTokens(value)} exact={exactly(value, "tokens")} />;
}

/** `value` in dollars; an unknown cost is never shown as zero. */
export function Cost({ value }: QuantityProps) {
  const known = value !== null && value !== undefined;
  if (!known) return <Exact text="unknown" exact="No price is known" />;
  return <Exact text={formatCost(value)} exact={`$${value}`} />;
}

/** The total cost of several LLM calls, some of which may have no price. */
export function SummedCost({ sum }: { sum: CostSum }) {
  return <Exact text={formatCostSum(sum)} exact={describeCost(sum)} />;
}

function describeCost(sum: CostSum): string {
  const { cost_micro_usd: cost, llm_call_count: calls, unpriced_call_count: unpriced } = sum;
  if (calls === 0) return "No LLM calls";
  const priceless = `no price is known for ${formatExact(unpriced)} of ${countOf(calls, "LLM call")}`;
  if (unpriced >= calls) return `Unknown: ${priceless}`;
  return `$${dollars(cost)}${unpriced === 0 ? "" : `; ${priceless}`}`;
}

/** `value` in seconds. */
export function Duration({ value }: QuantityProps) {
  return <Exact text={formatSeconds(value)} exact={exactly(value, "seconds")} />;
}

export function Count({ value }: QuantityProps) {
  return <Exact text={value === null || value === undefined ? "–" : formatExact(value)} exact="" />;
}

export function RelativeTime({ value }: { value: string | null | undefined }) {
  const now = useNow(20_000);
  if (value === null || value === undefined) return <span className="ts-number">–</span>;
  const moment = new Date(value);
  return (
    <time className="ts-number" dateTime={value} title={formatMoment(moment)}>
      {formatRelative(moment, now)}
    </time>
  );
}

function Exact({ text, exact }: { text: string; exact: string }) {
  return (
    <span className="ts-number" {...(exact === "" ? {} : { title: exact })}>
      {text}
    </span>
  );
}

function exactly(value: number | null | undefined, unit: string): string {
  return value === null || value === undefined ? "Unknown" : `${formatExact(value)} ${unit}`;
}

export function useNow(everyMs: number): Date {
  return useClock(readTime, everyMs);
}

const readTime = () => new Date();
