/** Map, tape and inspector side by side.
 *
 * - Pane: one of the three; where there is no room, one is seen at a time.
 * - Place: a card with what stands above it, or the end of the tape.
 * - Pinned: the list follows what is written as long as a person stays at its end.
 * - In sight: the steps whose bodies are fetched.
 */
export { type PaneName, Panes } from "@/features/tape-editor/panes/Panes";
