/** Where one is in the tape and in its family.
 *
 * - Map: the outline, one row a step, and above it the branches.
 * - Family: the tapes that share a first step by forking.
 * - Fork: a step after which tapes of the family differ; chevrons go from one to the next.
 * - Lines: the steps that are shown, by their place in the list.
 * - Phase: a stretch of a long tape by one agent of a team, or by one node; it folds in the map.
 * - Find: the words looked for, and the lines that have them.
 */
export { BranchLabel } from "@/features/tape-editor/map/BranchLabel";
export { type Fork, neighbourOf } from "@/features/tape-editor/map/branches";
export { type Family, FamilyProvider, useFamily } from "@/features/tape-editor/map/familyContext";
export { allLines, type Lines, linesOf, nextStep } from "@/features/tape-editor/map/find";
export type { Find } from "@/features/tape-editor/map/FindBar";
export { ForkChevrons } from "@/features/tape-editor/map/ForkChevrons";
export { MapPane } from "@/features/tape-editor/map/MapPane";
export { useTapeMoves } from "@/features/tape-editor/map/useCompare";
export { useFind } from "@/features/tape-editor/map/useFind";
export { useHighlights } from "@/features/tape-editor/map/useHighlights";
