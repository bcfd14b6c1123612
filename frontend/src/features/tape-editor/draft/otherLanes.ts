/** What an edit leaves as it is behind the place where the agent continues: steps of other lanes.
 *
 * The same as the server's `engine/tape/other_lanes.py`; both are tested on the cases in
 * `tests/engine/lane_edit_cases.json`.
 */
import type { Slot } from "@/features/tape-editor/draft/operations";
import { isObject } from "@/lib/json";

export interface StepFacts {
  lane: string;
  isObservation: boolean;
}

interface Edited {
  slots: readonly Slot[];
  stepCount: number;
  /** The first place that the draft changes. */
  editedAt: number | null;
  /** How many steps are kept up to the last place that it changes. */
  resumeAt: number | null;
  hasContext: boolean;
}

/** The places from `resumeAt` on that stay; `factsAt` is asked for recorded steps. */
export function findUnaffected(
  { slots, stepCount, editedAt, resumeAt, hasContext }: Edited,
  factsAt: (origin: number) => StepFacts,
): ReadonlySet<number> {
  const found = new Set<number>();
  if (editedAt === null || resumeAt === null || hasContext || hasMoved(slots)) return found;
  const laneOf = (slot: Slot) =>
    slot.origin === null ? laneOfInserted(slot) : factsAt(slot.origin).lane;
  const removed = listRemoved(slots, stepCount).map(factsAt);
  const affected = new Set(removed.map(({ lane }) => lane));
  for (const slot of slots) if (slot.written !== null) affected.add(laneOf(slot));
  if (affected.has("")) return found;
  let isWorldOther = removed.some(({ isObservation }) => isObservation);
  for (let index = editedAt; index < slots.length; index += 1) {
    const slot = slots[index];
    if (slot === undefined) break;
    const lane = laneOf(slot);
    const isAnswer = slot.origin !== null && factsAt(slot.origin).isObservation;
    let isDropped = [...affected].some((other) => depends(lane, other));
    if (index >= resumeAt) {
      isDropped ||= isAnswer && isWorldOther;
      isWorldOther ||= isAnswer && isDropped;
      if (!isDropped) found.add(index);
    }
    if (isDropped) affected.add(lane);
    if (affected.has("")) break;
  }
  return found;
}

/** An inserted step is signed with the lane that it was inserted into. */
export function laneOfInserted({ written }: Slot): string {
  const metadata = written?.["metadata"];
  const lane = isObject(metadata) ? metadata["lane"] : undefined;
  return typeof lane === "string" ? lane : "";
}

function hasMoved(slots: readonly Slot[]): boolean {
  let last = -1;
  for (const { origin } of slots) {
    if (origin === null) continue;
    if (origin < last) return true;
    last = origin;
  }
  return false;
}

function listRemoved(slots: readonly Slot[], stepCount: number): number[] {
  const present = new Set(slots.map(({ origin }) => origin));
  return Array.from({ length: stepCount }, (_, at) => at).filter((at) => !present.has(at));
}

/** Whether one of the lanes is the other, or calls it. */
function depends(lane: string, other: string): boolean {
  if (lane === "" || other === "") return true;
  return `${lane}/`.startsWith(`${other}/`) || `${other}/`.startsWith(`${lane}/`);
}
