/** The fixes of a tape: several drafts of one person, tried side by side.
 *
 * - Fix: a draft with a letter, A to H, and perhaps a name; one is open.
 * - Tab: a fix in the strip above the run bar, labelled with what it changes.
 * - Earlier edit: one before the last, with steps between them that Resume keeps as recorded.
 */
export { shortWords } from "@/features/tape-editor/fixes/editPlaces";
export { FixStrip } from "@/features/tape-editor/fixes/FixStrip";
export { useFixInAddress } from "@/features/tape-editor/fixes/useFixInAddress";
export { type FixTab, useFixes } from "@/features/tape-editor/fixes/useFixes";
