/** The prompt of a step, for trying other texts and models. Nothing is saved unless requested.
 *
 * - Playground: the editable prompt, and the models that it is sent to.
 * - Answer: what one model wrote; it can be put into the draft.
 */
export { PlaygroundHost } from "@/features/tape-editor/playground/PlaygroundHost";
