/** What agents that were called together did, each in a lane of its own.
 *
 * - Mark: the number of a lane, and whose it is. Rails: the lanes drawn as lines beside the steps.
 * - Head: the line above a lane's first step, which alone remains when the lane is folded.
 */
export { JoinWords } from "@/features/tape-editor/lanes/JoinWords";
export { LaneFacts } from "@/features/tape-editor/lanes/LaneFacts";
export { LaneHead } from "@/features/tape-editor/lanes/LaneHead";
export { LaneMark } from "@/features/tape-editor/lanes/LaneMark";
export { LaneRails, railsWidth } from "@/features/tape-editor/lanes/LaneRails";
export { type FoldedLanes, useFoldedLanes } from "@/features/tape-editor/lanes/useFoldedLanes";
