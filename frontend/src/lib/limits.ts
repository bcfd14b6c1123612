import { countOf, formatCost } from "@/lib/format";
import { dollars } from "@/lib/money";

interface Limits {
  labels?: number | null;
  micro_usd?: number | null;
  calls?: number | null;
  tokens?: number | null;
}

/** "$5.00 and 300 calls": what a budget allows at most; empty where it has no limits. */
export function describeLimits({ labels, micro_usd: money, calls, tokens }: Limits): string {
  const limits = [
    typeof labels === "number" && countOf(labels, "label"),
    typeof money === "number" && formatCost(dollars(money)),
    typeof calls === "number" && countOf(calls, "call"),
    typeof tokens === "number" && countOf(tokens, "token"),
  ];
  return limits.filter((words) => words !== false).join(" and ");
}
