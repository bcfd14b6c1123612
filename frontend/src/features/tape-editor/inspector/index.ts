/** What is behind the chosen step.
 *
 * - Inspector: the right pane, one tab for each question.
 * - Call: the recorded LLM exchange that wrote the step.
 * - Prompt changes: what is new in a prompt compared with the previous call.
 * - Excerpt: the text around a search match in a long prompt.
 * - Form: what the form filler is to fill in, as it is after the step; the server reads it from the
 *   steps.
 * - Token share: how much of the prompt each message takes.
 */
export { ChangeList } from "@/features/tape-editor/inspector/ChangeList";
export { Inspector } from "@/features/tape-editor/inspector/Inspector";
export {
  contentText,
  MessageView,
  searchableText,
} from "@/features/tape-editor/inspector/MessageView";
