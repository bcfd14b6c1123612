/** Outcome changes between two batches: their counts, and their names in the address. */
import type { BatchDiff, Outcome, TapePair } from "@/api/types";

export const OUTCOMES: readonly Outcome[] = ["pass", "fail", ""];

export function changeName(left: Outcome, right: Outcome): string {
  return `${left === "" ? "none" : left}-${right === "" ? "none" : right}`;
}

export function countChange(diff: BatchDiff, left: Outcome, right: Outcome): number {
  return diff.transitions.find((one) => one.left === left && one.right === right)?.count ?? 0;
}

export function pairsWith(diff: BatchDiff, change: string | null): TapePair[] {
  if (change === null) return diff.pairs;
  return diff.pairs.filter(({ left, right }) => changeName(left.outcome, right.outcome) === change);
}

/** Worse, better, or neither: shown red, green, or neutral. */
export function toneOf(left: Outcome, right: Outcome): "good" | "bad" | undefined {
  if (left === "pass" && right === "fail") return "bad";
  return left === "fail" && right === "pass" ? "good" : undefined;
}
