/** The keys of the tape page. The run bar, Run N and the notes bind their own.
 *
 * - Found: the steps that j and k move through.
 * - Covered: another view replaces the panes, so keys for what is not visible do nothing.
 */
export { useEditorKeys } from "@/features/tape-editor/keys/useEditorKeys";
