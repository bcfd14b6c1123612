/** Where the next run starts, derived from the draft: pure arithmetic over places. */
import type { Slot } from "@/features/tape-editor/draft";

export interface RunPlace {
  /** How many steps of the edited tape are kept. */
  keep: number;
  /** The same on the recorded tape, if the draft does not affect it; `null` if it does. */
  recordedAt: number | null;
  /** Steps of other lanes than the edited stay behind them. */
  keepsOthers: boolean;
  /** Where on the recorded tape the steps start that the run does again. */
  workFrom: number;
}

/** Steps that determine who runs next: editing one may change who can continue. */
const STEERING = new Set<unknown>(["call", "call_together", "join", "respond", "set_next_node"]);

export function runPlace(
  slots: readonly Slot[],
  stepCount: number,
  keep: number,
  keepsOthers = false,
): RunPlace {
  return {
    keep,
    recordedAt: !keepsOthers && isPlainPrefix(slots, keep) ? keep : null,
    keepsOthers,
    workFrom: slots[keep]?.origin ?? stepCount,
  };
}

/** The kept steps are the tape's first ones, some rewritten, and no edit changes who runs next. */
function isPlainPrefix(slots: readonly Slot[], keep: number): boolean {
  for (let at = 0; at < keep; at++) {
    const slot = slots[at];
    if (slot?.origin !== at || STEERING.has(slot.written?.kind)) return false;
  }
  return true;
}
