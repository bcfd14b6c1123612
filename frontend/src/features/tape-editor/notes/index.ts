/** What people say of the tape.
 *
 * - Note: a comment, score, label or correction, on the tape, a step, a field or some of its words.
 * - Anchor: the place of a note's words in a field, found again when the text has moved.
 * - Mark: where a note shows in the text.
 * - Correction: another body for a step, laid over it; the recorded one stays.
 */
export { notesQuery } from "@/features/tape-editor/notes/api";
export { NoteBadges } from "@/features/tape-editor/notes/NoteBadges";
export { NoteMarks } from "@/features/tape-editor/notes/NoteMarks";
export {
  NotesProvider,
  useNotesOf,
  useNoteWriting,
} from "@/features/tape-editor/notes/NotesProvider";
export { NotesTab } from "@/features/tape-editor/notes/NotesTab";
export { SelectionComment } from "@/features/tape-editor/notes/SelectionComment";
export { useNoteActions } from "@/features/tape-editor/notes/useNoteActions";
