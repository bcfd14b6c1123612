/** The rows of the grid, sorted and grouped by result; pure. */
import type { Branch } from "@/api/types";

export type SortKey = "number" | "score" | "steps" | "cost" | "time" | "divergence";
export type Grouping = "outcome" | "arm" | "none";

export interface Sort {
  key: SortKey;
  isDescending: boolean;
}

/** The judgment of a branch, in one word. */
export type Verdict =
  "passed" | "failed" | "unjudged" | "working" | "waiting" | "broken" | "stopped" | "out_of_budget";

export const VERDICT_WORDS: Record<Verdict, string> = {
  passed: "Passed",
  failed: "Did not pass",
  unjudged: "Not judged",
  working: "Running",
  waiting: "Waiting for you",
  broken: "Run failed",
  stopped: "Stopped",
  out_of_budget: "Out of budget",
};

const ORDER: readonly Verdict[] = [
  "passed",
  "failed",
  "unjudged",
  "waiting",
  "working",
  "broken",
  "out_of_budget",
  "stopped",
];

export interface BranchGroup {
  key: string;
  verdict: Verdict | null;
  label: string;
  /** The outcome that all of them share; empty if they differ. */
  outcome: string;
  branches: readonly Branch[];
}

export function verdictOf(branch: Branch): Verdict {
  if (branch.passed !== null) return branch.passed ? "passed" : "failed";
  switch (branch.state) {
    case "queued":
    case "running":
      return "working";
    case "failed":
      return "broken";
    case "cancelled":
      return "stopped";
    case "out_of_budget":
      return "out_of_budget";
    case "waiting":
    case "paused":
      return "waiting";
    case "succeeded":
      return "unjudged";
  }
}

export function secondsOf(branch: Branch, now: Date): number | null {
  if (branch.started_at === null) return null;
  const isOver = branch.finished_at !== null;
  const isWorking = branch.state === "running" || branch.state === "queued";
  if (!isOver && !isWorking) return null;
  const end = isOver ? new Date(branch.finished_at ?? "") : now;
  return Math.max(0, (end.getTime() - new Date(branch.started_at).getTime()) / 1000);
}

export function sortBranches(branches: readonly Branch[], sort: Sort, now: Date): Branch[] {
  const sign = sort.isDescending ? -1 : 1;
  return branches.toSorted((a, b) => {
    const [left, right] = [valueOf(a, sort.key, now), valueOf(b, sort.key, now)];
    // Unknown values are last, in both sort directions.
    if (left === null || right === null) {
      return Number(left === null) - Number(right === null) || a.number - b.number;
    }
    return sign * (left - right) || a.number - b.number;
  });
}

function valueOf(branch: Branch, key: SortKey, now: Date): number | null {
  switch (key) {
    case "number":
      return branch.number;
    case "score":
      return branch.score;
    case "steps":
      return branch.step_count;
    case "cost":
      return branch.is_cost_known ? branch.cost_micro_usd : null;
    case "time":
      return secondsOf(branch, now);
    case "divergence":
      return branch.first_divergence;
  }
}

/** Branches in groups; within a group they keep their order. */
export function groupBranches(sorted: readonly Branch[], by: Grouping): BranchGroup[] {
  if (by === "none") return [group("all", null, "", "", sorted)];
  if (by === "arm") {
    return [...ARMS.slice(1), "original" as const]
      .map((arm) =>
        group(
          arm,
          null,
          armName(arm),
          "",
          pick(sorted, (b) => b.arm === arm),
        ),
      )
      .filter(({ branches }) => branches.length > 0);
  }
  return ORDER.flatMap((verdict) =>
    groupByOutcome(
      verdict,
      pick(sorted, (branch) => verdictOf(branch) === verdict),
    ),
  );
}

/** Branches with equal outcomes are grouped, the most frequent first; the rest share one group. */
function groupByOutcome(verdict: Verdict, branches: readonly Branch[]): BranchGroup[] {
  const byOutcome = new Map<string, Branch[]>();
  for (const branch of branches) {
    const result = resultOf(branch, verdict);
    byOutcome.set(result, [...(byOutcome.get(result) ?? []), branch]);
  }
  const equal = [...byOutcome]
    .filter(([result, members]) => result !== "" && members.length > 1)
    .toSorted(([, a], [, b]) => b.length - a.length);
  const different = pick(branches, (branch) => {
    const result = resultOf(branch, verdict);
    return result === "" || byOutcome.get(result)?.length === 1;
  });
  const word = VERDICT_WORDS[verdict];
  return [
    ...equal.map(([result, members]) =>
      group(`${verdict}:${result}`, verdict, word, result, members),
    ),
    ...(different.length === 0 ? [] : [group(verdict, verdict, word, "", different)]),
  ];
}

function resultOf(branch: Branch, verdict: Verdict): string {
  if (verdict === "broken") return branch.message;
  const isOver = verdict === "passed" || verdict === "failed" || verdict === "unjudged";
  return isOver ? branch.outcome.trim() : "";
}

export type Arm = Branch["arm"];
const ARMS: readonly Arm[] = ["original", "edited", "A", "B", "C", "D", "E", "F", "G", "H"];

/** An arm's name for people. */
export function armName(arm: Arm): string {
  if (arm === "original") return "As recorded";
  return arm === "edited" ? "As edited" : `Fix ${arm}`;
}

function group(
  key: string,
  verdict: Verdict | null,
  label: string,
  outcome: string,
  branches: readonly Branch[],
): BranchGroup {
  return { key, verdict, label, outcome, branches };
}

function pick(branches: readonly Branch[], is: (branch: Branch) => boolean): Branch[] {
  return branches.filter(is);
}

/** The branch to keep: one that passes, has the highest score, and of those the lowest cost. */
export function findBest(branches: readonly Branch[]): Branch | undefined {
  return ranked(branches).at(0);
}

/** The branch to contrast with the best: the lowest score; from the best's own arm if possible. */
export function findWorst(branches: readonly Branch[], best: Branch): Branch | undefined {
  const others = ranked(branches).filter(
    (branch) => branch.number !== best.number && branch.outcome !== best.outcome,
  );
  const below = others.filter((branch) => (branch.score ?? 0) < (best.score ?? 0));
  return below.findLast(({ arm }) => arm === best.arm) ?? below.at(-1);
}

/** An experiment's branch to keep: the best passing one of the fix that passes most often. */
export function findWinner(branches: readonly Branch[], best: Arm | null): Branch | undefined {
  if (best === null) return undefined;
  return findBest(branches.filter(({ arm, passed }) => arm === best && passed === true));
}

function ranked(branches: readonly Branch[]): Branch[] {
  return branches
    .filter(({ passed }) => passed !== null)
    .toSorted(
      (a, b) =>
        Number(b.passed) - Number(a.passed) ||
        (b.score ?? 0) - (a.score ?? 0) ||
        a.cost_micro_usd - b.cost_micro_usd ||
        a.number - b.number,
    );
}

/** What can be done to the branches of a table. */
export interface BranchActions {
  open: (branch: Branch) => void;
  toggleChosen: (branch: Branch) => void;
  pin: (branch: Branch) => void;
  /** The same judgment again removes it. */
  judge: (branch: Branch, passed: boolean) => void;
  /** Null unless exactly two are chosen. */
  compare: (() => void) | null;
}
