/** What number fields hold. */

/** Text while the field is empty, or not a number yet. */
export type Typed = number | string;

/** An emptied field means no value. */
export function numberOf(typed: Typed): number | null {
  return typeof typed === "number" ? typed : null;
}
