import { countOf, formatCost } from "@/lib/format";
import { dollars } from "@/lib/money";

const MINUTE = 60;

/** Time limits are in seconds in the API, and in minutes in the interface. */
export function minutes(seconds: number): number;
export function minutes(seconds: number | null | undefined): number | null;
export function minutes(seconds: number | null | undefined): number | null {
  return seconds === null || seconds === undefined ? null : seconds / MINUTE;
}

export function secondsOf(typed: number | null): number | null {
  return typed === null ? null : typed * MINUTE;
}

interface Limits {
  labels?: number | null;
  micro_usd?: number | null;
  calls?: number | null;
  tokens?: number | null;
  seconds?: number | null;
}

/** "$5.00 and 300 calls": the limits of a budget; empty if it has none. */
export function describeLimits(limits: Limits): string {
  const { labels, micro_usd: money, calls, tokens, seconds } = limits;
  const parts = [
    typeof labels === "number" && countOf(labels, "label"),
    typeof money === "number" && formatCost(dollars(money)),
    typeof calls === "number" && countOf(calls, "call"),
    typeof tokens === "number" && countOf(tokens, "token"),
    typeof seconds === "number" && countOf(minutes(seconds), "minute"),
  ];
  return parts.filter((words) => words !== false).join(" and ");
}
