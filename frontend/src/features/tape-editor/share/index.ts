/** What leaves the studio.
 *
 * - Share: a tape as a single file. Export: the tape in a form that the studio can import again.
 * - Snippet: an LLM call as code to run elsewhere.
 */
export { CallSnippets } from "@/features/tape-editor/share/CallSnippets";
export { ShareItems } from "@/features/tape-editor/share/ShareItems";
