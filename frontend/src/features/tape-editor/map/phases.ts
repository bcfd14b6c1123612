/** The phases of a long tape: sections by one agent of a team, or by one node. Pure. */
import type { Author, Outline } from "@/api/outline";
import type { Slot } from "@/features/tape-editor/draft";
import type { Lane, Lanes } from "@/features/tape-editor/editor";
import type { Lines } from "@/features/tape-editor/map/find";

export interface Phase {
  /** Stays the same while other steps are added and removed. */
  key: string;
  name: string;
  start: number;
  /** The index after its last step. */
  end: number;
  /** Set for a lane: only some of the steps from start to end are in it. */
  lane?: Lane;
}

/** A shorter tape is easy to survey without phases. */
const MOST_STEPS_WITHOUT = 40;
/** Shorter phases do not help: agent and environment just alternate. */
const FEWEST_STEPS = 3;

export function findPhases(slots: readonly Slot[], outline: Outline): Phase[] {
  if (slots.length <= MOST_STEPS_WITHOUT) return [];
  const byAgent = stretches(slots, outline, ({ agent }) => lastName(agent));
  const found =
    byAgent.length > 1 ? byAgent : stretches(slots, outline, ({ agent, node }) => agent && node);
  return found.length > 1 && found.length * FEWEST_STEPS <= slots.length ? found : [];
}

/** Lanes fold as phases do. */
export function listLanes({ all }: Lanes): Phase[] {
  return all.map((lane) => ({
    key: lane.key,
    name: lane.member,
    start: lane.first,
    end: lane.last + 1,
    lane,
  }));
}

export function isInPhase({ start, end, lane }: Phase, lanes: Lanes, index: number): boolean {
  return lane === undefined ? start <= index && index < end : lanes.isIn(lane, index);
}

/** Steps of the environment, of people, and in lanes belong to the phase around them. */
function stretches(
  slots: readonly Slot[],
  outline: Outline,
  nameOf: (author: Author) => string,
): Phase[] {
  const found: Phase[] = [];
  slots.forEach(({ origin, key }, index) => {
    const isOutside = origin !== null && outline.laneAt(origin) === "";
    const author = isOutside ? outline.authorAt(origin) : undefined;
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

/** The name of a team's member without the team. */
function lastName(agent: string): string {
  return agent.slice(agent.lastIndexOf("/") + 1);
}

/** The rows of the outline: the shown steps, and a row for each phase above its first step. Phases
 * are in the order of their starts. */
export interface OutlineRows {
  readonly length: number;
  /** The position of a step, or a phase. */
  at: (row: number) => number | Phase | undefined;
  /** The row of a step; that of its phase if the step is not shown. */
  rowOf: (index: number) => number;
}

export function outlineRows(
  lines: Lines,
  phases: readonly Phase[],
  isIn: (phase: Phase, index: number) => boolean = ({ start }, index) => start <= index,
): OutlineRows {
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
      if (lines.has(index)) return lines.lineOf(index) + at;
      return headers[phases.findLastIndex((phase) => isIn(phase, index))] ?? -1;
    },
  };
}

/** How many of the ascending numbers are at most `limit`. */
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
