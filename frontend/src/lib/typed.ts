/** Values of number fields. */

/** A string while the field is empty or does not contain a number yet. */
export type Typed = number | string;

/** An empty field means no value. */
export function numberOf(typed: Typed): number | null {
  return typeof typed === "number" ? typed : null;
}
