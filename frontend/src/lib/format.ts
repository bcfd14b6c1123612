/** Numbers, times and ids as short text. Each has a longer exact form for hovering. */
import { dollars } from "@/lib/money";

const exact = new Intl.NumberFormat("en-US");
const NOTHING = "–";

export function formatTokens(count: number | null | undefined): string {
  if (count === null || count === undefined) return NOTHING;
  if (count < 1000) return String(count);
  if (count < 99_950) return `${(count / 1000).toFixed(1)}k`;
  if (count < 999_500) return `${Math.round(count / 1000)}k`;
  return `${(count / 1_000_000).toFixed(1)}M`;
}

const CHARACTERS_A_TOKEN = 4;

/** Estimate the tokens of a text, or of this many characters, where they were not counted. */
export function guessTokens(text: string | number): number {
  return Math.ceil((typeof text === "string" ? text.length : text) / CHARACTERS_A_TOKEN);
}

export function formatExact(count: number): string {
  return exact.format(count);
}

/** `amount` in dollars. */
export function formatCost(amount: number | null | undefined): string {
  if (amount === null || amount === undefined) return NOTHING;
  if (amount === 0) return "$0";
  if (amount < 0.0001) return "<$0.0001";
  if (amount < 1) return `$${amount.toFixed(4)}`;
  return `$${amount.toFixed(2)}`;
}

/** A cost in millionths of a US dollar over several LLM calls, some of which may have no price. */
export interface CostSum {
  cost_micro_usd: number;
  llm_call_count: number;
  unpriced_call_count: number;
}

/** In US dollars; `null` if it is unknown, or only a lower bound is known. */
export function knownCost(sum: CostSum): number | null {
  const { cost_micro_usd: cost, llm_call_count: calls, unpriced_call_count: unpriced } = sum;
  return calls === 0 || unpriced > 0 ? null : dollars(cost);
}

/** "$0.0123", "at least $0.0123" or "unknown"; a dash without calls. */
export function formatCostSum(sum: CostSum): string {
  const { cost_micro_usd: cost, llm_call_count: calls, unpriced_call_count: unpriced } = sum;
  if (calls === 0) return NOTHING;
  if (unpriced >= calls) return "unknown";
  const known = formatCost(dollars(cost));
  return unpriced > 0 ? `at least ${known}` : known;
}

/** "4.1k tokens, at least $0.0123 spent", "nothing spent" or "…, cost unknown". */
export function formatSpent(tokens: number, sum: CostSum): string {
  const { llm_call_count: calls, unpriced_call_count: unpriced } = sum;
  if (calls === 0) return "nothing spent";
  const cost = unpriced >= calls ? "cost unknown" : `${formatCostSum(sum)} spent`;
  return `${formatTokens(tokens)} tokens, ${cost}`;
}

/** A score with at most three decimals. */
export function formatScore(score: number | null): string {
  return score === null ? NOTHING : String(Number(score.toFixed(3)));
}

/** A number that may be negative, with a typographic minus sign. */
export function formatSigned(value: number, digits: number): string {
  return value.toFixed(digits).replace("-", "−");
}

export function formatSeconds(seconds: number | null | undefined): string {
  if (seconds === null || seconds === undefined) return NOTHING;
  if (seconds < 0.9995) return `${Math.round(seconds * 1000)} ms`;
  if (seconds < 59.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor((whole % 3600) / 60);
  if (hours > 0) return `${hours} h ${minutes} min`;
  return `${minutes} min ${whole % 60} s`;
}

const UNITS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
];
const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto", style: "narrow" });

export function formatRelative(moment: Date, now: Date): string {
  const seconds = (moment.getTime() - now.getTime()) / 1000;
  for (const [unit, size] of UNITS) {
    if (Math.abs(seconds) >= size) return relative.format(Math.trunc(seconds / size), unit);
  }
  return "just now";
}

export function formatMoment(moment: Date): string {
  return moment.toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "medium" });
}

/** The time of day, to the second. */
export function formatClock(moment: Date): string {
  return moment.toLocaleTimeString("en-GB");
}

/** An estimated duration: one unit, and no more digits than an estimate deserves. */
export function formatRough(seconds: number): string {
  if (seconds < 10) return "a few seconds";
  if (seconds < 90) return `${Math.round(seconds / 10) * 10} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  return `${Math.round(seconds / 3600)} h`;
}

export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${(bytes / 1000).toFixed(1)} kB`;
  if (bytes < 1_000_000_000) return `${(bytes / 1_000_000).toFixed(1)} MB`;
  return `${(bytes / 1_000_000_000).toFixed(1)} GB`;
}

export function shortId(id: string): string {
  return id.slice(0, 8);
}

/** "1 tape", "3 tapes", "1,204 tapes". */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${formatExact(count)} ${count === 1 ? one : many}`;
}

/** A share with its confidence interval. */
export interface Rate {
  value: number;
  low: number;
  high: number;
}

/** "67 % (50–80 %)": whole percentages, because few tapes support no more. */
export function formatRate({ value, low, high }: Rate): string {
  const whole = (share: number) => Math.round(share * 100);
  return `${whole(value)} % (${whole(low)}–${whole(high)} %)`;
}
