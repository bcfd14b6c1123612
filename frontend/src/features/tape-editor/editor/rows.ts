/** The steps of an edited tape as they are drawn, and what is above each of them.
 *
 * Rows are created on demand: a tape may have tens of thousands, and a keystroke changes one.
 */
import type { Outline } from "@/api/outline";
import type { OutlineRow } from "@/api/types";
import {
  type Removed,
  removedBefore,
  type Slot,
  type StepJson,
} from "@/features/tape-editor/draft";
import { guessFamily, visualFamily, type VisualFamily } from "@/lib/families";

export interface NodeRun {
  agent: string;
  node: string;
  inputTokens: number | null;
  cachedTokens: number | null;
  outputTokens: number | null;
  costMicroUsd: number | null;
  /** Some calls have no known cost: the sum is a lower bound. */
  isCostPartial: boolean;
  durationSeconds: number | null;
}

export interface StepRow {
  key: string;
  /** Position in the edited tape. */
  index: number;
  slot: Slot;
  /** As recorded; `null` for an inserted step, and for one whose outline is not loaded yet. */
  recorded: OutlineRow | null;
  /** Recorded before an edit of the draft: Resume leaves it out. */
  isStale: boolean;
  /** Inside a node run, below its header. */
  isInRun: boolean;
  /** The first step of its LLM call, on which the call's tokens and cost are shown. */
  isFirstOfCall: boolean;
}

/** Adjacent steps that were recorded before an edit of the draft and that it did not change. */
export interface Stretch {
  /** Resume leaves the steps out, or keeps them because of a later change. */
  kind: "stale" | "kept";
  count: number;
  /** The first place that the draft changes. */
  editedAt: number;
}

export interface Steps {
  readonly length: number;
  /** The same object as long as nothing about the step changes. */
  at: (index: number) => StepRow | undefined;
  /** The header of the node run that begins with a step. */
  runAt: (index: number) => NodeRun | null;
  /** Whether a step begins a node run, without computing the run's totals. */
  beginsRun: (index: number) => boolean;
  /** The index after the last step of the node run that begins with a step. */
  runEnd: (index: number) => number;
  /** The recorded steps that are missing right before a step; at `length`, after the last. */
  removedAt: (index: number) => Removed | null;
  /** The stretch that begins with a step. */
  stretchAt: (index: number) => Stretch | null;
}

interface EditedAt {
  editedAt: number | null;
  resumeAt: number | null;
  unaffected?: ReadonlySet<number>;
}

/** `editedAt`: the first place that the draft changes; `resumeAt`: how many steps are kept when the
 * agent continues after the edit, and `unaffected` the steps of other lanes behind that place, which are
 * kept, too. Both numbers are `null` if nothing was changed. */
export function buildSteps(
  slots: readonly Slot[],
  outline: Outline,
  { editedAt, resumeAt, unaffected }: EditedAt,
): Steps {
  const stale = resumeAt ?? slots.length;
  const isStaleAt = (index: number) => index >= stale && unaffected?.has(index) !== true;
  const recordedAt = (index: number): OutlineRow | null => {
    const origin = slots[index]?.origin ?? null;
    return origin === null ? null : (outline.at(origin) ?? null);
  };

  /** The recorded step before, if it belongs to the node run that continues at `index`. */
  function lastOfRun(index: number): OutlineRow | null {
    for (let at = index - 1; at >= 0; at -= 1) {
      const slot = slots[at];
      if (slot === undefined) return null;
      if (slot.origin === null && !isObservation(slot)) continue;
      const row = recordedAt(at);
      return row !== null && isInNodeRun(row) ? row : null;
    }
    return null;
  }

  function beginsRun(index: number): boolean {
    const row = recordedAt(index);
    return row !== null && isInNodeRun(row) && !isSameRun(lastOfRun(index), row);
  }

  function at(index: number): StepRow | undefined {
    const slot = slots[index];
    if (slot === undefined) return undefined;
    const recorded = recordedAt(index);
    const before = lastOfRun(index);
    const call = recorded?.call_id ?? null;
    return sameRow({
      key: slot.key,
      index,
      slot,
      recorded,
      isStale: isStaleAt(index),
      isInRun:
        recorded === null
          ? slot.origin === null && !isObservation(slot) && before !== null
          : isInNodeRun(recorded),
      isFirstOfCall: call !== null && before?.call_id !== call,
    });
  }

  function runEnd(index: number): number {
    const first = recordedAt(index);
    const furthest = Math.min(slots.length, index + LONGEST_RUN);
    let end = index + 1;
    for (let at = end; at < furthest && first !== null; at += 1) {
      const slot = slots[at];
      if (slot === undefined || (slot.origin === null && isObservation(slot))) break;
      if (slot.origin === null) continue;
      const row = recordedAt(at);
      if (row === null || !isInNodeRun(row) || !isSameRun(first, row)) break;
      end = at + 1;
    }
    return end;
  }

  function runAt(index: number): NodeRun | null {
    if (!beginsRun(index)) return null;
    const members: OutlineRow[] = [];
    const end = runEnd(index);
    for (let at = index; at < end; at += 1) {
      const row = recordedAt(at);
      if (row !== null) members.push(row);
    }
    return sumRun(members);
  }

  function stretchKind(index: number): Stretch["kind"] | null {
    const slot = slots[index];
    if (editedAt === null || slot === undefined || index < editedAt || slot.written !== null)
      return null;
    if (index < stale) return "kept";
    return isStaleAt(index) ? "stale" : null;
  }

  function stretchAt(index: number): Stretch | null {
    const kind = stretchKind(index);
    if (kind === null || editedAt === null || stretchKind(index - 1) === kind) return null;
    let end = index + 1;
    while (stretchKind(end) === kind) end += 1;
    return { kind, count: end - index, editedAt };
  }

  return {
    length: slots.length,
    at,
    runAt,
    runEnd,
    beginsRun,
    removedAt: (index) => removedBefore(slots, index, outline.length),
    stretchAt,
  };
}

/** More steps than any known answer has: keeps a damaged tape from costing n². */
const LONGEST_RUN = 200;

const known = new WeakMap<object, StepRow>();

/** Returns the same object for equal rows, so that a card is drawn again only when it changes. */
function sameRow(row: StepRow): StepRow {
  const of = row.recorded ?? row.slot;
  const before = known.get(of);
  if (before !== undefined && isEqualRow(before, row)) return before;
  known.set(of, row);
  return row;
}

function isEqualRow(one: StepRow, other: StepRow): boolean {
  return (
    one.index === other.index &&
    one.slot === other.slot &&
    one.recorded === other.recorded &&
    one.isStale === other.isStale &&
    one.isInRun === other.isInRun &&
    one.isFirstOfCall === other.isFirstOfCall
  );
}

/** Of an inserted step, only the kind is known. */
function isObservation({ written }: Slot): boolean {
  return guessFamily(String(written?.kind)) === "observation";
}

function isInNodeRun(row: OutlineRow): boolean {
  return row.agent !== "" && row.family !== "observation";
}

/** All steps of a node run share a prompt id; without one, agent and node must do. */
function isSameRun(one: OutlineRow | null, other: OutlineRow): boolean {
  if (one === null) return false;
  if (one.prompt_id !== "" || other.prompt_id !== "") return one.prompt_id === other.prompt_id;
  return one.agent === other.agent && one.node === other.node;
}

/** Steps of one call repeat its numbers: each call counts once. */
export function sumRun(members: readonly OutlineRow[]): NodeRun {
  const calls = new Map<string, OutlineRow>();
  for (const row of members) if (row.call_id !== null) calls.set(row.call_id, row);
  const rows = calls.size > 0 ? [...calls.values()] : members.slice(0, 1);
  return {
    agent: members[0]?.agent ?? "",
    node: members[0]?.node ?? "",
    inputTokens: sum(rows.map((row) => row.input_tokens)),
    cachedTokens: sum(rows.map((row) => row.cache_read_tokens)),
    outputTokens: sum(rows.map((row) => row.output_tokens)),
    costMicroUsd: sum(rows.map((row) => row.cost_micro_usd)),
    isCostPartial: rows.some((row) => row.cost_micro_usd === null),
    durationSeconds: sum(rows.map((row) => row.duration_seconds)),
  };
}

/** Unknown only if no value is known. */
function sum(values: readonly (number | null)[]): number | null {
  const found = values.filter((value) => value !== null);
  return found.length === 0 ? null : found.reduce((total, value) => total + value, 0);
}

/** The kind of a step, or "" while only its place is known. */
export function kindOf({ slot, recorded }: StepRow, body?: StepJson): string {
  const written = slot.written?.kind;
  if (typeof written === "string") return written;
  if (recorded !== null) return recorded.kind;
  return typeof body?.kind === "string" ? body.kind : "";
}

export function familyOf(row: StepRow): VisualFamily {
  const { recorded } = row;
  const kind = kindOf(row);
  if (recorded === null) return visualFamily(kind, guessFamily(kind));
  return visualFamily(kind, recorded.family, recorded.is_error);
}
