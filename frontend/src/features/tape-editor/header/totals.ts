/** What a tape has cost: the totals of its header, plus the calls received over the socket. */
import type { Outline } from "@/api/outline";
import type { OutlineRow, Tape } from "@/api/types";

export interface TapeSums {
  callCount: number;
  inputTokens: number;
  cachedTokens: number;
  outputTokens: number;
  /** `null`: it is known for no call. */
  costMicroUsd: number | null;
  /** It is unknown for some calls: the sum is a lower bound. */
  isCostPartial: boolean;
  /** How long models worked on the calls, in total. */
  workedSeconds: number;
}

/** `undefined` until it is known for which calls the cost is unknown. */
export function sumTape(
  { totals }: Pick<Tape, "totals">,
  outline: Outline,
  recordedCount: number,
): TapeSums | undefined {
  const last = outline.at(outline.length - 1);
  if (outline.length > 0 && last === undefined) return undefined;
  const since = callsSince(outline, recordedCount);
  const sum = (own: number, name: Summed) =>
    since.reduce((total, row) => total + (row[name] ?? 0), own);
  const { count, unpriced } = outline.countCalls();
  const cost = sum(totals.cost_micro_usd, "cost_micro_usd");
  return {
    callCount: totals.llm_call_count + since.length,
    inputTokens: sum(totals.input_tokens, "input_tokens"),
    cachedTokens: sum(totals.cache_read_tokens, "cache_read_tokens"),
    outputTokens: sum(totals.output_tokens, "output_tokens"),
    costMicroUsd: cost === 0 && unpriced === count ? null : cost,
    isCostPartial: unpriced > 0,
    workedSeconds: sum(totals.duration_seconds, "duration_seconds"),
  };
}

type Summed =
  "input_tokens" | "cache_read_tokens" | "output_tokens" | "cost_micro_usd" | "duration_seconds";

/** One row for each call that the header does not include yet. */
function callsSince(outline: Outline, recordedCount: number): OutlineRow[] {
  const counted = outline.at(recordedCount - 1)?.call_id ?? null;
  const calls = new Map<string, OutlineRow>();
  for (let at = recordedCount; at < outline.length; at += 1) {
    const row = outline.at(at);
    const call = row?.call_id ?? null;
    if (row !== undefined && call !== null && call !== counted) calls.set(call, row);
  }
  return [...calls.values()];
}
