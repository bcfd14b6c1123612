/** Where the person is in the tape and in its family.
 *
 * - Map: the outline, one row per step, and above it the branches.
 * - Family: the tapes that share a first step by forking.
 * - Fork: a step after which tapes of the family differ; chevrons move from one to the next.
 * - Lines: the steps that are shown, by their place in the list.
 * - Phase: a section of a long tape by one agent of a team, or by one node, that folds in the map.
 * - Find: the search words, and the lines that contain them.
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
