/** How the draft reaches the server.
 *
 * - Autosave: sends the draft shortly after a change, one request at a time.
 * - Unsent: a draft that was left in the browser because the server could not be reached.
 * - Theirs, mine: the two drafts of a conflict, after the draft changed elsewhere.
 * - Child: the tape that the draft describes, made without running anything.
 */
export { discardDraft, fixesKey, fixesQuery, saveChild } from "@/features/tape-editor/saving/api";
export type { Autosave } from "@/features/tape-editor/saving/autosave";
export { AutosaveChip } from "@/features/tape-editor/saving/AutosaveChip";
export { DraftNotices } from "@/features/tape-editor/saving/DraftNotices";
export { useOpeningDraft } from "@/features/tape-editor/saving/useOpeningDraft";
export { loaded, openStore, useAutosave } from "@/features/tape-editor/saving/useDraft";
