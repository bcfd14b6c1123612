/** A person's changes to a tape, as a pure reducer: edit, undo, redo, save, conflict. */
import type { Fix, OtherDraft, StepProblem } from "@/api/types";
import {
  applyOne,
  applyOperations,
  type Operation,
  type StepJson,
} from "@/features/tape-editor/draft/operations";
import { isSameJson } from "@/lib/json";

export type SaveState = "saved" | "saving" | "unsaved" | "offline" | "conflict" | "refused";

export interface Draft {
  /** Which of the person's fixes of the tape this is. */
  fix: Fix;
  /** The person's name for it; empty: its letter. */
  name: string;
  operations: readonly Operation[];
  /** How many of the operations are applied; the rest can be redone. */
  appliedCount: number;
  /** The server's last version; sent back with the next save. */
  version: number;
  /** How many steps the tape had when the draft was started or its growth was last accepted. */
  baseStepCount: number | null;
  save: SaveState;
  /** The server's reason when it did not save. */
  problem: string;
  /** What the server would refuse at Save and Resume, as of the last save. */
  problems: readonly StepProblem[];
  /** Other people who edit the tape. */
  others: readonly OtherDraft[];
  /** The editing session of the last operation; the session's next change replaces it. */
  session: string | null;
}

/** What a place held before the draft, to detect that an edit restores it. */
export interface Recorded {
  slot: string;
  step: StepJson;
}

/** One change by a person, as a click or as typing. */
export interface DraftEdit {
  operation: Operation;
  /** Changes of one session are one operation, such as all typing in one form. */
  session?: string;
  recorded?: Recorded;
  /** How many steps the tape has, as far as the page knows. */
  stepCount?: number;
}

export type DraftEvent =
  | {
      type: "draft.loaded";
      fix?: Fix;
      name?: string;
      operations: readonly Operation[];
      appliedCount: number;
      version: number;
      baseStepCount?: number | null;
      problems?: readonly StepProblem[];
      others?: readonly OtherDraft[];
      /** It never reached the server. */
      isUnsent?: boolean;
    }
  | ({ type: "draft.edited" } & DraftEdit)
  /** Several changes that a person makes as one. */
  | { type: "draft.editedTogether"; operations: readonly Operation[]; stepCount: number }
  | { type: "draft.renamed"; name: string }
  | { type: "draft.undone" }
  | { type: "draft.redone" }
  | { type: "draft.emptied"; version: number }
  | { type: "draft.rebased"; version: number }
  | { type: "draft.growthAccepted"; stepCount: number }
  | { type: "draft.othersLoaded"; others: readonly OtherDraft[] }
  | { type: "draft.sending"; fix: Fix }
  | {
      type: "draft.saved";
      fix: Fix;
      version: number;
      sent: readonly Operation[];
      sentCount: number;
      sentName?: string;
      problems?: readonly StepProblem[];
      others?: readonly OtherDraft[];
    }
  | {
      type: "draft.notSaved";
      fix: Fix;
      save: "offline" | "conflict" | "refused";
      message: string;
    };

export const EMPTY_DRAFT: Draft = {
  fix: "A",
  name: "",
  operations: [],
  appliedCount: 0,
  version: 0,
  baseStepCount: null,
  save: "saved",
  problem: "",
  problems: [],
  others: [],
  session: null,
};

export function applied({
  operations,
  appliedCount,
}: Pick<Draft, "operations" | "appliedCount">): readonly Operation[] {
  return operations.slice(0, appliedCount);
}

/** The step that is being typed in this place, if any. */
export function editedStep(typing: DraftEdit | null, slot: string): StepJson | null {
  if (typing?.session !== slot || typing.operation.op !== "replace") return null;
  return typing.operation.step;
}

export function isDirty(draft: Draft): boolean {
  return draft.appliedCount > 0;
}

export function reduceDraft(draft: Draft, event: DraftEvent): Draft {
  switch (event.type) {
    case "draft.loaded": {
      const { operations, appliedCount, version, baseStepCount = null } = event;
      const { fix = draft.fix, name = "" } = event;
      const { problems = [], others = draft.others } = event;
      const save = event.isUnsent === true ? "unsaved" : "saved";
      return {
        ...EMPTY_DRAFT,
        ...{ fix, name, operations, appliedCount, version, baseStepCount, problems, others, save },
      };
    }
    case "draft.edited":
      return edited(draft, event);
    case "draft.editedTogether":
      return editedTogether(draft, event.operations, event.stepCount);
    case "draft.renamed":
      return changed({ ...draft, name: event.name }, draft.operations, draft.appliedCount);
    case "draft.undone":
      if (draft.appliedCount === 0) return draft;
      return changed(draft, draft.operations, groupStart(draft.operations, draft.appliedCount - 1));
    case "draft.redone":
      if (draft.appliedCount === draft.operations.length) return draft;
      return changed(draft, draft.operations, groupEnd(draft.operations, draft.appliedCount));
    case "draft.emptied":
      return { ...EMPTY_DRAFT, fix: draft.fix, version: event.version, others: draft.others };
    case "draft.rebased":
      return { ...draft, version: event.version, save: "unsaved", problem: "" };
    case "draft.growthAccepted":
      return { ...draft, baseStepCount: event.stepCount, save: "unsaved" };
    case "draft.othersLoaded":
      return isSameJson(draft.others, event.others) ? draft : { ...draft, others: event.others };
    case "draft.sending":
      return { ...draft, save: "saving", problem: "" };
    case "draft.saved": {
      const { version, sent, sentCount, problems = [], others = draft.others } = event;
      const isWhole =
        sent === draft.operations &&
        sentCount === draft.appliedCount &&
        (event.sentName ?? draft.name) === draft.name;
      const save = isWhole ? "saved" : "unsaved";
      return { ...draft, version, save, problem: "", problems, others };
    }
    case "draft.notSaved":
      return { ...draft, save: event.save, problem: event.message };
  }
}

function edited(draft: Draft, edit: DraftEdit): Draft {
  const { session = null, recorded, stepCount } = edit;
  const kept = draft.operations.slice(0, draft.appliedCount);
  const continues = session !== null && session === draft.session;
  const base = continues ? kept.slice(0, -1) : kept;
  const operation = continues ? continued(kept.at(-1), edit.operation) : edit.operation;
  const started = begin(draft, stepCount);
  if (recorded !== undefined && isAsBefore(operation, recorded)) {
    const rest = withoutEditsOf(base, operation, recorded.slot, stepCount ?? 0);
    return rest.length === draft.appliedCount ? draft : changed(started, rest, rest.length);
  }
  return changed(started, [...base, operation], base.length + 1, session);
}

function editedTogether(draft: Draft, operations: readonly Operation[], stepCount: number): Draft {
  if (operations.length === 0) return draft;
  const kept = applied(draft);
  const group = 1 + Math.max(0, ...kept.map((operation) => operation.group ?? 0));
  const together = operations.map((operation) => ({ ...operation, group }));
  return changed(begin(draft, stepCount), [...kept, ...together], kept.length + together.length);
}

/** The start of the group of the operation at `index`; an operation without a group is its own. */
function groupStart(operations: readonly Operation[], index: number): number {
  const group = operations[index]?.group;
  let start = index;
  while (group !== undefined && operations[start - 1]?.group === group) start -= 1;
  return start;
}

/** The index after the last operation of the group that the operation at `index` belongs to. */
function groupEnd(operations: readonly Operation[], index: number): number {
  const group = operations[index]?.group;
  let end = index + 1;
  while (group !== undefined && operations[end]?.group === group) end += 1;
  return end;
}

/** An empty draft starts on the tape as it is now. */
function begin(draft: Draft, stepCount: number | undefined): Draft {
  if (draft.operations.length > 0 || stepCount === undefined) return draft;
  return { ...draft, baseStepCount: stepCount };
}

/** More typing in a step that was just inserted is part of that insertion. */
function continued(last: Operation | undefined, next: Operation): Operation {
  if (last?.op === "insert" && next.op === "replace") return { ...next, op: "insert" };
  return next;
}

function isAsBefore(operation: Operation, { step }: Recorded): boolean {
  switch (operation.op) {
    case "replace":
      return isSameJson(operation.step, step);
    case "context":
      return isSameJson(operation.value, step.value);
    case "metadata":
      return operation.title === step.title && isSameJson(operation.values, step.values);
    default:
      return false;
  }
}

/** Drops the edits of a place that reads as recorded again. */
function withoutEditsOf(
  operations: readonly Operation[],
  { op }: Operation,
  slot: string,
  stepCount: number,
): Operation[] {
  let slots = applyOperations(stepCount, []);
  return operations.filter((operation, number) => {
    const isOfSlot = operation.op !== "replace" || slots[operation.position]?.key === slot;
    slots = applyOne(slots, operation, number);
    return operation.op !== op || !isOfSlot;
  });
}

function changed(
  draft: Draft,
  operations: readonly Operation[],
  appliedCount: number,
  session: string | null = null,
): Draft {
  // A conflict remains until the person has loaded the other draft.
  const save = draft.save === "conflict" ? "conflict" : "unsaved";
  return { ...draft, operations, appliedCount, save, session };
}
