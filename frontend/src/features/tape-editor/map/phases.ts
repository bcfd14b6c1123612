/** The phases of a long tape: stretches by one agent of a team, or by one node. Pure. */
import type { Author, Outline } from "@/api/outline";
import type { Slot } from "@/features/tape-editor/draft";
import type { Lines } from "@/features/tape-editor/map/find";

export interface Phase {
  /** Stays the same while other steps come and go. */
  key: string;
  name: string;
  start: number;
  /** Behind its last step. */
  end: number;
}

/** A tape that is shorter is seen at once. */
const MOST_STEPS_WITHOUT = 40;
/** Where phases would be shorter, they are no help: agent and environment take turns. */
const FEWEST_STEPS = 3;

export function findPhases(slots: readonly Slot[], outline: Outline): Phase[] {
  if (slots.length <= MOST_STEPS_WITHOUT) return [];
  const byAgent = stretches(slots, outline, ({ agent }) => lastName(agent));
  const found =
    byAgent.length > 1 ? byAgent : stretches(slots, outline, ({ agent, node }) => agent && node);
  return found.length > 1 && found.length * FEWEST_STEPS <= slots.length ? found : [];
}

/** What the environment and people say belongs to the phase that it comes in. */
function stretches(
  slots: readonly Slot[],
  outline: Outline,
  nameOf: (author: Author) => string,
): Phase[] {
  const found: Phase[] = [];
  slots.forEach(({ origin, key }, index) => {
    const author = origin === null ? undefined : outline.authorAt(origin);
    const name = author === undefined ? "" : nameOf(author);
    const last = found.at(-1);
    if (name === "" || last?.name === name) return;
    if (last !== undefined) last.end = index;
    const isFirst = last === undefined;
    const start = isFirst ? 0 : index;
    found.push({
      key: `phase-${isFirst ? (slots[0]?.key ?? key) : key}`,
      name,
      start,
      end: slots.length,
    });
  });
  return found;
}

/** A member of a team without the team above it. */
function lastName(agent: string): string {
  return agent.slice(agent.lastIndexOf("/") + 1);
}

/** The rows of the outline: lines of steps, with a row for each phase above its first. */
export interface OutlineRows {
  readonly length: number;
  /** A step by its place in the tape, or a phase. */
  at: (row: number) => number | Phase | undefined;
  /** The row of a step; of its phase, where the step is not shown. */
  rowOf: (index: number) => number;
}

export function outlineRows(lines: Lines, phases: readonly Phase[]): OutlineRows {
  const headers = phases.map(({ start }, at) => lines.lineOf(start) + at);
  return {
    length: lines.length + phases.length,
    at: (row) => {
      const at = countUpTo(headers, row);
      return headers[at - 1] === row ? phases[at - 1] : lines.at(row - at);
    },
    rowOf: (index) => {
      const at = countUpTo(
        phases.map(({ start }) => start),
        index,
      );
      return lines.has(index) ? lines.lineOf(index) + at : (headers[at - 1] ?? -1);
    },
  };
}

/** How many of some rising numbers are not above one. */
function countUpTo(rising: readonly number[], limit: number): number {
  let low = 0;
  let high = rising.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((rising[middle] ?? 0) <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
