/** Map, tape and inspector side by side.
 *
 * - Pane: one of the three; if there is no room, one is shown at a time.
 * - Place: a card with what is above it, or the end of the tape.
 * - Pinned: the list follows what is written as long as the person stays at its end.
 * - In sight: the steps whose bodies are fetched.
 */
export { type PaneName, Panes } from "@/features/tape-editor/panes/Panes";
