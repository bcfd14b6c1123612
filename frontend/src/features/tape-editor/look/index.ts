/** How much of the tape is shown, and how.
 *
 * - Look: the detail, and whether text is rendered or raw; kept in the browser.
 * - Detail: all steps, no control steps, or only the conversation.
 * - Hidden: left out by the detail.
 * - Revealed: hidden steps that the person asked to see.
 */
export {
  DETAIL_WORDS,
  DETAILS,
  isHidden,
  isRevealed,
  type Revealed,
} from "@/features/tape-editor/look/detail";
export { keepLook, type Look, readLook } from "@/features/tape-editor/look/look";
