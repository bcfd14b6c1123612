/** Where the next run begins, told from the draft: pure arithmetic over places. */
import type { Slot } from "@/features/tape-editor/draft";

export interface RunPlace {
  /** How many steps of the edited tape are kept. */
  keep: number;
  /** The same on the recorded tape, where that says enough; `null` with a draft that matters. */
  recordedAt: number | null;
  /** Where on the recorded tape the work begins that the run does again. */
  workFrom: number;
}

/** Steps that say who runs next: an edit of one may change who can continue. */
const STEERING = new Set<unknown>(["call", "respond", "set_next_node"]);

export function runPlace(slots: readonly Slot[], stepCount: number, keep: number): RunPlace {
  return {
    keep,
    recordedAt: isPlainPrefix(slots, keep) ? keep : null,
    workFrom: slots[keep]?.origin ?? stepCount,
  };
}

/** The kept steps are the first of the tape, some in other words; nobody else runs next. */
function isPlainPrefix(slots: readonly Slot[], keep: number): boolean {
  for (let at = 0; at < keep; at++) {
    const slot = slots[at];
    if (slot?.origin !== at || STEERING.has(slot.written?.kind)) return false;
  }
  return true;
}
