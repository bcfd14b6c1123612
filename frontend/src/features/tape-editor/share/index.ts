/** What leaves the studio.
 *
 * - Share: a tape as one file. Export: the tape as the studio reads it again.
 * - Snippet: an LLM call as something to run elsewhere.
 */
export { CallSnippets } from "@/features/tape-editor/share/CallSnippets";
export { ShareItems } from "@/features/tape-editor/share/ShareItems";
