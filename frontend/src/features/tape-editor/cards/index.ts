/** Steps as cards.
 *
 * - Card: one step, with its content and what can be done to it.
 * - Waiting card: a step whose body is loading. Live card: a step that a model is writing.
 * - Reading: which texts are folded, and whether they are rendered.
 * - Replaced: the parent's step that a step replaces.
 * - Hidden row, removed row: shown in place of steps that are not.
 * - Stretch line: states that the steps below are stale, or kept.
 */
export { dropTarget } from "@/features/tape-editor/cards/dragging";
export { FieldLinks } from "@/features/tape-editor/cards/FieldLinks";
export { HiddenRow } from "@/features/tape-editor/cards/HiddenRow";
export { LiveCard } from "@/features/tape-editor/cards/LiveCard";
export { NodeRunHeader } from "@/features/tape-editor/cards/NodeRunHeader";
export { ReadingProvider } from "@/features/tape-editor/cards/ReadingProvider";
export { RemovedRow } from "@/features/tape-editor/cards/RemovedRow";
export { ReplacedProvider } from "@/features/tape-editor/cards/ReplacedProvider";
export { StepCard } from "@/features/tape-editor/cards/StepCard";
export { StretchLine } from "@/features/tape-editor/cards/StretchLine";
export { TapeTools, ToolsPlace } from "@/features/tape-editor/cards/TapeTools";
export { WaitingCard } from "@/features/tape-editor/cards/WaitingCard";
