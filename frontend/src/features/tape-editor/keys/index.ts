/** The keys of the tape page. The run bar, Run N and the notes bind their own.
 *
 * - Found: the steps that j and k go through.
 * - Covered: something stands in place of the panes, and the keys of what is not in view do nothing.
 */
export { useEditorKeys } from "@/features/tape-editor/keys/useEditorKeys";
