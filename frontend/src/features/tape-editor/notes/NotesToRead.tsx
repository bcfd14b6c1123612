/** The notes on a step where nobody writes any: beside the editor of the agent that wrote it. */
import type { Annotation } from "@/api/types";
import { CorrectedWords } from "@/features/tape-editor/notes/Correction";
import { NoteFrame, NoteWords } from "@/features/tape-editor/notes/NoteFrame";
import classes from "@/features/tape-editor/notes/notes.module.css";
import { useNotesOf } from "@/features/tape-editor/notes/NotesProvider";
import { cutText, visibleText } from "@/lib/visibleText";

interface NotesToReadProps {
  /** Of the recorded step. */
  position: number;
  /** The id of the note that led here: it is the first. */
  current: string | null;
}

export function NotesToRead({ position, current }: NotesToReadProps) {
  const notes = useNotesOf(position);
  if (notes.length === 0) return null;
  const first = notes.filter(({ id }) => id === current);
  const others = notes.filter(({ id }) => id !== current);
  return (
    <section className={classes.toRead} aria-label={`Notes on step ${position}`}>
      <ul>
        {[...first, ...others].map((note) => (
          <NoteFrame
            key={note.id}
            note={note}
            about={<About note={note} />}
            isCurrent={note.id === current}
          >
            {note.kind === "correction" ? (
              <CorrectedWords note={note} />
            ) : (
              <NoteWords note={note} />
            )}
          </NoteFrame>
        ))}
      </ul>
    </section>
  );
}

const QUOTE = 160;

function About({ note }: { note: Annotation }) {
  if (note.kind === "correction") return null;
  if (note.quote === "") {
    return note.field === "" ? null : (
      <span className={`ts-hint ${classes.field}`}>{visibleText(note.field)}</span>
    );
  }
  const quote = cutText(note.quote, QUOTE);
  return (
    <blockquote className={`ts-words ${classes.quote}`}>
      {visibleText(quote)}
      {quote.length < note.quote.length && "…"}
    </blockquote>
  );
}
