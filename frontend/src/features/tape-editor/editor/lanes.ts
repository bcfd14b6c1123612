/** The lanes of a tape: what each of the agents that were called together did. Pure.
 *
 * A lane is named as its steps record it: `2`, or `2/1` for an agent that the one in lane 2 called
 * together with others. Only the outline is read, so that it is known for every step.
 */
import type { Outline } from "@/api/outline";
import { laneOfInserted, type Slot } from "@/features/tape-editor/draft";
import { visibleText } from "@/lib/visibleText";

export interface Lane {
  /** Stays the same while other steps are added and removed. */
  key: string;
  path: string;
  /** The name of the agent without its team. */
  member: string;
  /** Where it is drawn, from 0, among the lanes of its section. */
  column: number;
  /** Its first and last step, with those of the lanes below it, and how many these are. */
  first: number;
  last: number;
  count: number;
  /** Open: neither has the agent responded, nor has its caller gone on. */
  state: "open" | "answered" | "cancelled";
  /** Its last step is an action, which nobody has answered yet. */
  endsInAction: boolean;
}

export interface Lanes {
  /** The lane of a step; `null` for one outside of lanes. */
  at: (index: number) => Lane | null;
  /** Whether a step is in a lane, or in one below it. */
  isIn: (lane: Lane, index: number) => boolean;
  /** The lanes around a step, which are drawn beside it: those that were open together. */
  around: (index: number) => readonly Lane[];
  /** The lanes that begin with a step, the outermost first. */
  startingAt: (index: number) => readonly Lane[];
  /** All lanes in the order of their first steps. */
  all: readonly Lane[];
}

/** "lane 2, historian" */
export function nameOfLane({ path, member }: Pick<Lane, "path" | "member">): string {
  return member === "" ? `lane ${path}` : `lane ${path}, ${visibleText(member)}`;
}

interface Section {
  start: number;
  end: number;
  lanes: Lane[];
}

const NONE: readonly Lane[] = [];

export const NO_LANES: Lanes = {
  at: () => null,
  isIn: () => false,
  around: () => NONE,
  startingAt: () => NONE,
  all: NONE,
};

/** Steps of the caller that close the lanes that it opened. */
const CLOSING = new Set(["call", "call_together", "join", "respond"]);

export function findLanes(slots: readonly Slot[], outline: Outline): Lanes {
  const pathOf = (slot: Slot) =>
    slot.origin === null ? laneOfInserted(slot) : outline.laneAt(slot.origin);
  if (!slots.some((slot) => pathOf(slot) !== "")) return NO_LANES;
  const sections: Section[] = [];
  const byStep = new Map<number, Lane>();
  const open = new Map<string, Lane>();
  let section: Section | null = null;
  slots.forEach((slot, index) => {
    const path = pathOf(slot);
    const row = slot.origin === null ? undefined : outline.at(slot.origin);
    const kind = kindOf(slot, row?.kind);
    if (path !== "") {
      if (section === null) sections.push((section = { start: index, end: index, lanes: [] }));
      section.end = index + 1;
      for (const above of ancestors(path)) {
        let lane = open.get(above);
        if (lane === undefined) {
          lane = beginLane(above, slot.key, index);
          open.set(above, lane);
          section.lanes.push(lane);
        }
        lane.last = index;
        lane.count += 1;
        if (above !== path) continue;
        byStep.set(index, lane);
        const agent = row?.agent ?? "";
        if (lane.member === "") lane.member = agent;
        if (kind === "respond" && agent === lane.member) lane.state = "answered";
        lane.endsInAction = row?.family === "action";
      }
    }
    if (!CLOSING.has(kind)) return;
    for (const [name, lane] of open) {
      if (path !== "" && !name.startsWith(`${path}/`)) continue;
      if (lane.state === "open") lane.state = "cancelled";
      open.delete(name);
    }
    if (path === "") section = null;
  });
  return readLanes(sections, byStep);
}

function readLanes(sections: readonly Section[], byStep: ReadonlyMap<number, Lane>): Lanes {
  const around = new Map<number, readonly Lane[]>();
  for (const { start, end, lanes } of sections) {
    const paths = [...new Set(lanes.map(({ path }) => path))].sort(byNumber);
    for (const lane of lanes) {
      lane.member = lane.member.slice(lane.member.lastIndexOf("/") + 1);
      lane.column = paths.indexOf(lane.path);
    }
    for (let index = start; index < end; index += 1) around.set(index, lanes);
  }
  return {
    at: (index) => byStep.get(index) ?? null,
    isIn: ({ path, first, last }, index) => {
      const own = byStep.get(index)?.path;
      const isInside = own === path || own?.startsWith(`${path}/`) === true;
      return isInside && first <= index && index <= last;
    },
    around: (index) => around.get(index) ?? NONE,
    startingAt: (index) => (around.get(index) ?? NONE).filter(({ first }) => first === index),
    all: sections.flatMap(({ lanes }) => lanes),
  };
}

function beginLane(path: string, step: string, index: number): Lane {
  return {
    key: `lane-${path}-${step}`,
    path,
    member: "",
    column: 0,
    first: index,
    last: index,
    count: 0,
    state: "open",
    endsInAction: false,
  };
}

/** `2/1` and `2`, the outermost first. */
function ancestors(path: string): string[] {
  const parts = path.split("/");
  return parts.map((_, at) => parts.slice(0, at + 1).join("/"));
}

function byNumber(one: string, other: string): number {
  return one.localeCompare(other, "en", { numeric: true });
}

function kindOf({ written }: Slot, recorded: string | undefined): string {
  return typeof written?.kind === "string" ? written.kind : (recorded ?? "");
}
