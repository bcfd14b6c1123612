/** What a person changed on the tape, not run yet.
 *
 * - Draft: the operations on one tape, how many of them are applied, and how far they are saved.
 * - Fix: one of several drafts of one tape, with a letter; one is open, the others are parked.
 * - Operation: one change of the recorded steps: insert, replace, delete, move, cut, keep, context.
 * - Applied: the operations that have not been undone.
 * - Slot: one place of the edited tape, with the recorded step in it and what is written over it.
 * - Origin: the recorded position of a slot's step; none for an inserted one.
 * - Removed: recorded steps that the draft leaves out, and where they were.
 * - Resume point: how many steps are kept when the agent continues after the last edit.
 */
export {
  applied,
  type Draft,
  type DraftEdit,
  type DraftEvent,
  editedStep,
  EMPTY_DRAFT,
  isDirty,
  reduceDraft,
  type SaveState,
} from "@/features/tape-editor/draft/draft";
export {
  FIXES,
  fixForAddress,
  type FixEvent,
  type Fixes,
  freeLetter,
  listFixes,
  neighbourFix,
  type Parked,
  readFix,
  reduceFixes,
} from "@/features/tape-editor/draft/fixes";
export {
  applyOperations,
  editedContext,
  editedMetadata,
  firstEdited,
  type Operation,
  parseOperations,
  type Removed,
  removedBefore,
  resumePoint,
  type Slot,
  type StepJson,
} from "@/features/tape-editor/draft/operations";

export { findUnaffected, laneOfInserted } from "@/features/tape-editor/draft/otherLanes";
