/** A draft as data: operations on a tape, and the steps that result from them.
 *
 * Computes after each key press what the server's `engine/tape/splice.py` computes at Save; both are
 * tested on the cases in `tests/engine/splice_cases.json`.
 */
import * as v from "valibot";

const jsonObject = v.record(v.string(), v.unknown());
const position = v.pipe(v.number(), v.integer(), v.minValue(0));

const any = { group: v.exactOptional(v.pipe(v.number(), v.integer())) };

const operation = v.variant("op", [
  v.object({ ...any, op: v.literal("replace"), position, step: jsonObject }),
  v.object({ ...any, op: v.literal("insert"), position, step: jsonObject }),
  v.object({ ...any, op: v.literal("delete"), position }),
  v.object({ ...any, op: v.literal("cut"), position }),
  v.object({ ...any, op: v.literal("move"), position, to: position }),
  v.object({ ...any, op: v.literal("keep"), position }),
  v.object({ ...any, op: v.literal("context"), value: v.unknown() }),
  v.object({
    ...any,
    op: v.literal("metadata"),
    title: v.optional(v.nullable(v.string()), null),
    values: jsonObject,
  }),
]);

/** Positions refer to the steps as the operations before left them. Adjacent operations of one
 * `group` were made together, and are undone and redone together. */
export type Operation = v.InferOutput<typeof operation>;
export type EditContext = Extract<Operation, { op: "context" }>;
export type EditMetadata = Extract<Operation, { op: "metadata" }>;
export type StepJson = Record<string, unknown>;

export function parseOperations(value: unknown): Operation[] {
  return v.parse(v.array(operation), value);
}

/** One place of the edited tape. */
export interface Slot {
  /** Stays the same while other places are added and removed. */
  key: string;
  /** Position on the tape as recorded; `null` for an inserted step. */
  origin: number | null;
  /** What the draft writes here; `null` for a step as recorded. */
  written: StepJson | null;
  /** The agent continues after this step at the earliest, although it follows an edit. */
  isKept?: true;
}

/** The places of a tape of `stepCount` steps after the operations.
 *
 * An operation outside the tape is skipped: the server refuses such a draft with a reason.
 */
export function applyOperations(
  stepCount: number,
  operations: readonly Operation[],
): readonly Slot[] {
  let slots = recordedSlots(stepCount);
  operations.forEach((operation, number) => {
    slots = applyOne(slots, operation, number);
  });
  return slots;
}

/** Recorded places look the same on every tape: they are created once and never changed. */
let made: readonly Slot[] = [];

function recordedSlots(count: number): readonly Slot[] {
  if (made.length < count) {
    const more = Array.from({ length: count - made.length }, (_, at) =>
      recordedSlot(made.length + at),
    );
    made = made.concat(more);
  }
  return made.length === count ? made : made.slice(0, count);
}

function recordedSlot(index: number): Slot {
  return { key: `step-${index}`, origin: index, written: null };
}

/** `number` is the operation's index and names the place that an insertion creates. */
export function applyOne(
  slots: readonly Slot[],
  operation: Operation,
  number: number,
): readonly Slot[] {
  if (operation.op === "context" || operation.op === "metadata") return slots;
  const { position: at } = operation;
  if (operation.op === "insert") {
    if (at > slots.length) return slots;
    const inserted = { key: `new-${number}`, origin: null, written: operation.step };
    return slots.toSpliced(at, 0, inserted);
  }
  const slot = slots[at];
  if (slot === undefined) return slots;
  switch (operation.op) {
    case "replace":
      return slots.with(at, { ...slot, written: operation.step });
    case "delete":
      return slots.toSpliced(at, 1);
    case "cut":
      return slots.slice(0, at);
    case "move":
      return operation.to >= slots.length ? slots : moved(slots, slot, at, operation.to);
    case "keep":
      return slots.with(at, { ...slot, isKept: true });
  }
}

function moved(slots: readonly Slot[], slot: Slot, at: number, to: number): readonly Slot[] {
  return slots.toSpliced(at, 1).toSpliced(to, 0, slot);
}

/** The context that the draft gives the session; `undefined` if the draft does not change it. */
export function editedContext(operations: readonly Operation[]): EditContext | undefined {
  return operations.findLast((operation) => operation.op === "context");
}

/** The title and metadata that the draft gives the tape, if any. */
export function editedMetadata(operations: readonly Operation[]): EditMetadata | undefined {
  return operations.findLast((operation) => operation.op === "metadata");
}

/** The first place that is not as recorded; `null` if all are.
 *
 * The steps after it were recorded in other circumstances. `openingCount` is given when the context
 * is edited: how many leading steps of the tape no agent wrote.
 */
export function firstEdited(
  slots: readonly Slot[],
  stepCount: number,
  openingCount: number | null = null,
): number | null {
  if (openingCount !== null) return 0;
  const index = slots.findIndex((slot, at) => slot.origin !== at || slot.written !== null);
  if (index >= 0) return index;
  return slots.length < stepCount ? slots.length : null;
}

/** How many steps are kept when the agent continues; `null` if the draft changes none.
 *
 * The agent continues after the last place that was written, moved, removed, cut or kept. With an
 * edited context it starts again after the opening.
 */
export function resumePoint(
  slots: readonly Slot[],
  stepCount: number,
  openingCount: number | null = null,
): number | null {
  if (firstEdited(slots, stepCount, openingCount) === null) return null;
  let end = slots.length;
  for (let tail = stepCount; end > 0 && isAsRecorded(slots[end - 1], tail - 1); tail -= 1) end -= 1;
  if (openingCount !== null) end = Math.max(end, countOpening(slots, openingCount));
  return Math.max(end, slots.findLastIndex((slot) => slot.isKept === true) + 1);
}

function isAsRecorded(slot: Slot | undefined, origin: number): boolean {
  return slot?.origin === origin && slot.written === null;
}

function countOpening(slots: readonly Slot[], openingCount: number): number {
  const index = slots.findIndex(({ origin }) => origin === null || origin >= openingCount);
  return index < 0 ? slots.length : index;
}

export interface Removed {
  from: number;
  to: number;
}

/** The recorded steps that are missing right before the place at `index` (or at the end): those
 * that led up to its step. */
export function removedBefore(
  slots: readonly Slot[],
  index: number,
  stepCount: number,
): Removed | null {
  const end = index < slots.length ? (slots[index]?.origin ?? null) : stepCount;
  if (end === null) return null;
  const present = originsOf(slots);
  let from = end;
  while (from > 0 && !present.has(from - 1)) from -= 1;
  return from < end ? { from, to: end - 1 } : null;
}

const origins = new WeakMap<readonly Slot[], ReadonlySet<number>>();

function originsOf(slots: readonly Slot[]): ReadonlySet<number> {
  const known = origins.get(slots);
  if (known !== undefined) return known;
  const found = new Set<number>();
  for (const { origin } of slots) if (origin !== null) found.add(origin);
  origins.set(slots, found);
  return found;
}
