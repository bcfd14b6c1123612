/** The runs of a Run N, in one row of a list. */
import type { Job } from "@/api/types";
import { formatExact } from "@/lib/format";

type Group = NonNullable<Job["group"]>;

/** From what needs a person to what is settled: a group is in the first state that a run is in. */
const STATES: readonly Job["state"][] = [
  "waiting",
  "running",
  "paused",
  "queued",
  "failed",
  "cancelled",
  "succeeded",
];

export function stateOf({ counts }: Group): Job["state"] {
  return STATES.find((state) => countIn(counts, state) > 0) ?? "queued";
}

/** "3 running, 5 queued" */
export function describeGroup({ counts }: Group): string {
  const found = STATES.filter((state) => countIn(counts, state) > 0);
  return found.map((state) => `${formatExact(countIn(counts, state))} ${state}`).join(", ");
}

/** How many of its runs have ended, of how many. */
export function progressOf({ counts }: Group): { done: number; total: number } {
  const done = ENDED.reduce((sum, state) => sum + countIn(counts, state), 0);
  const total = STATES.reduce((sum, state) => sum + countIn(counts, state), 0);
  return { done, total };
}

const ENDED: readonly Job["state"][] = ["failed", "cancelled", "succeeded"];

function countIn(counts: Group["counts"], state: Job["state"]): number {
  return counts[state] ?? 0;
}
