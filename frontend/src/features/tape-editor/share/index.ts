/** What leaves the studio.
 *
 * - Share: a tape as one file. Export: the tape as the studio reads it again.
 * - Snippet: an LLM call as something to run elsewhere.
 */
export { CallSnippets } from "@/features/tape-editor/share/CallSnippets";
export { ShareMenu } from "@/features/tape-editor/share/ShareMenu";
