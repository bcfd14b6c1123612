/** The operations that replace the recorded answer's steps in a draft with another answer's. */
import type { Operation, Slot, StepJson } from "@/features/tape-editor/draft";
import { isSameJson } from "@/lib/json";

/** The operations that put `steps` where the recorded `positions` are on the edited tape.
 *
 * Steps that are the same already are left alone; `null` if none of the places exists.
 */
export function replaceSteps(
  slots: readonly Slot[],
  positions: readonly number[],
  recorded: readonly StepJson[],
  steps: readonly StepJson[],
): Operation[] | null {
  const places = positions
    .map((position, at) => ({
      index: slots.findIndex(({ origin }) => origin === position),
      now: recorded[at],
    }))
    .filter(({ index }) => index >= 0);
  const [first] = places;
  if (first === undefined) return null;
  const operations: Operation[] = [];
  steps.slice(0, places.length).forEach((step, at) => {
    const place = places[at];
    if (place === undefined) return;
    const now = slots[place.index]?.written ?? place.now;
    if (!isSameJson(now, step)) operations.push({ op: "replace", position: place.index, step });
  });
  const last = places.at(-1)?.index ?? first.index;
  steps.slice(places.length).forEach((step, at) => {
    operations.push({ op: "insert", position: last + 1 + at, step });
  });
  // From the end, so that earlier places do not shift.
  for (const { index } of places.slice(steps.length).toReversed()) {
    operations.push({ op: "delete", position: index });
  }
  return operations;
}
