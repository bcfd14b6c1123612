/** One open editor: its state, and what a person can do in it.
 *
 * - Editor store: what is typed, streamed and unfolded; one store, one pure reducer.
 * - Tape model: what all panes draw from: the outline, the draft's slots, and what may be edited.
 * - Row: one step of the edited tape as it is drawn.
 * - Node run: adjacent steps that one node of an agent wrote, under one header.
 * - Lane: the steps of one of the agents that were called together; folds to one line.
 * - Stale: recorded before an edit of the draft; Resume leaves it out.
 * - Stretch: adjacent stale steps, or kept ones; labelled once, above the first.
 * - Selection: what the address shows: step, field, tab, compared tape.
 * - Actions: what buttons, menus and keys do to steps.
 */
export { agentAddress } from "@/features/tape-editor/editor/agentAddress";
export {
  ActionsProvider,
  type EditorActions,
  rawKey,
  useActions,
  useBuiltActions,
  withoutMetadata,
} from "@/features/tape-editor/editor/editorActions";
export {
  createEditorStore,
  EditorProvider,
  type EditorStore,
  findUnsaved,
  hasUnsaved,
  useEditor,
  useEditorApi,
} from "@/features/tape-editor/editor/editorStore";
export { findLanes, type Lane, type Lanes, nameOfLane } from "@/features/tape-editor/editor/lanes";
export {
  familyOf,
  kindOf,
  type NodeRun,
  type StepRow,
  type Steps,
  type Stretch,
} from "@/features/tape-editor/editor/rows";
export {
  hasForm,
  ModelProvider,
  type TapeModel,
  useBuiltModel,
  useTapeModel,
} from "@/features/tape-editor/editor/tapeModel";
export {
  PLAYGROUND,
  type Selection,
  type Tab,
  useSelection,
} from "@/features/tape-editor/editor/useSelection";
