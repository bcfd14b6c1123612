/** The prompt of a step, to try other words and models on. Nothing is saved unless asked.
 *
 * - Playground: the prompt, editable, and the models that it is sent to.
 * - Answer: what one model wrote; it may be put into the draft.
 */
export { PlaygroundHost } from "@/features/tape-editor/playground/PlaygroundHost";
