/** The steps of an edited tape as they are drawn, and what stands above each of them.
 *
 * A row is made when somebody looks at it: a tape may have tens of thousands, and a keystroke
 * changes one.
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
  /** Of some calls it is not known: the sum is the least that it was. */
  isCostPartial: boolean;
  durationSeconds: number | null;
}

export interface StepRow {
  key: string;
  /** Position in the edited tape. */
  index: number;
  slot: Slot;
  /** As recorded; `null` for an inserted step, and for one that the outline does not tell of yet. */
  recorded: OutlineRow | null;
  /** Recorded under what the draft changed: Resume leaves it behind. */
  isStale: boolean;
  /** Inside a node run, below its header. */
  isInRun: boolean;
  /** The first step of its LLM call, which stands for what the call took. */
  isFirstOfCall: boolean;
}

/** Neighbouring steps that were recorded under what the draft changed, and that it left as they are. */
export interface Stretch {
  /** Resume leaves the steps behind, or keeps them because of a later change. */
  kind: "stale" | "kept";
  count: number;
  /** The first place that the draft changes. */
  editedAt: number;
}

export interface Steps {
  readonly length: number;
  /** The same object as long as nothing of the step changes. */
  at: (index: number) => StepRow | undefined;
  /** The header of the node run that begins with a step. */
  runAt: (index: number) => NodeRun | null;
  /** A step that begins a node run, told without working out what the run took. */
  beginsRun: (index: number) => boolean;
  /** The step after the last one of the node run that begins with a step. */
  runEnd: (index: number) => number;
  /** The recorded steps that are gone right before a step; at `length`, after the last. */
  removedAt: (index: number) => Removed | null;
  /** The stretch that begins with a step. */
  stretchAt: (index: number) => Stretch | null;
}

/** `editedAt`: the first place that the draft changes; `resumeAt`: how many steps stay when the
 * agent continues after the edit. Both are `null` when nothing was changed. */
export function buildSteps(
  slots: readonly Slot[],
  outline: Outline,
  { editedAt, resumeAt }: { editedAt: number | null; resumeAt: number | null },
): Steps {
  const stale = resumeAt ?? slots.length;
  const recordedAt = (index: number): OutlineRow | null => {
    const origin = slots[index]?.origin ?? null;
    return origin === null ? null : (outline.at(origin) ?? null);
  };

  /** The recorded step before, as far as it is of the node run that continues at `index`. */
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
      isStale: index >= stale,
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
    return index >= stale ? "stale" : "kept";
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

/** More steps of one answer than anybody has seen: keeps a damaged tape from costing n². */
const LONGEST_RUN = 200;

const known = new WeakMap<object, StepRow>();

/** Rows that say the same are the same object, so that a card is drawn again only when it changes. */
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

/** An inserted step has only its kind to tell. */
function isObservation({ written }: Slot): boolean {
  return guessFamily(String(written?.kind)) === "observation";
}

function isInNodeRun(row: OutlineRow): boolean {
  return row.agent !== "" && row.family !== "observation";
}

/** All steps of one node run share a prompt id; without one, agent and node have to do. */
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

/** Unknown only when nothing is known. */
function sum(values: readonly (number | null)[]): number | null {
  const found = values.filter((value) => value !== null);
  return found.length === 0 ? null : found.reduce((total, value) => total + value, 0);
}

/** The kind of a step, or "" as long as only its place is known. */
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
