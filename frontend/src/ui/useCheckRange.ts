/** Check boxes in a list: Shift checks, or unchecks, all from the last clicked one. */
import { useRef, type ChangeEvent } from "react";

/** Returns the ids whose boxes change when one of them is clicked. */
export type FlippedIds = (id: string, event: ChangeEvent<HTMLInputElement>) => string[];

/** The checked ids after the given boxes changed. */
export function flip(checked: ReadonlySet<string>, ids: readonly string[]): ReadonlySet<string> {
  const next = new Set(checked);
  for (const id of ids) if (!next.delete(id)) next.add(id);
  return next;
}

/** `ids` in the order in which they are shown. */
export function useCheckRange(
  ids: readonly string[],
  isChecked: (id: string) => boolean,
): FlippedIds {
  const last = useRef<string | null>(null);
  return (id, { nativeEvent }) => {
    const isRange = nativeEvent instanceof MouseEvent && nativeEvent.shiftKey;
    const from = isRange && last.current !== null ? ids.indexOf(last.current) : -1;
    const at = ids.indexOf(id);
    last.current = id;
    if (from === -1) return [id];
    const range = ids.slice(Math.min(from, at), Math.max(from, at) + 1);
    // All take the new state of the clicked one.
    return range.filter((one) => isChecked(one) === isChecked(id));
  };
}
