/** People's annotations of the tape.
 *
 * - Note: a comment, score, label or correction, on the tape, a step, a field or some of its words.
 * - Anchor: the place of a note's words in a field, found again after the text has moved.
 * - Mark: where a note is shown in the text.
 * - Correction: a replacement for a piece of a step's text; the recorded step stays.
 */
export { notesQuery } from "@/features/tape-editor/notes/api";
export { NoteBadges } from "@/features/tape-editor/notes/NoteBadges";
export { NoteMarks } from "@/features/tape-editor/notes/NoteMarks";
export {
  NotesProvider,
  useNotesOf,
  useNoteWriting,
} from "@/features/tape-editor/notes/NotesProvider";
export { NotesToRead } from "@/features/tape-editor/notes/NotesToRead";
export { NotesTab } from "@/features/tape-editor/notes/NotesTab";
export { SelectionComment } from "@/features/tape-editor/notes/SelectionComment";
export { useNoteActions } from "@/features/tape-editor/notes/useNoteActions";
