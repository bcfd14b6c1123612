/** Annotations by people, judges and checkers on the step and the tape, and forms to add more. */
import { IconMessagePlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";

import { ForWriters } from "@/api/ForWriters";
import { describeError } from "@/api/client";
import type { Annotation } from "@/api/types";
import type { Anchor } from "@/features/tape-editor/notes/anchors";
import { notesQuery } from "@/features/tape-editor/notes/api";
import { ChosenText } from "@/features/tape-editor/notes/ChosenText";
import { FieldChoice } from "@/features/tape-editor/notes/FieldChoice";
import { LabelForm } from "@/features/tape-editor/notes/LabelForm";
import { NoteForm } from "@/features/tape-editor/notes/NoteForm";
import { NoteItem } from "@/features/tape-editor/notes/NoteItem";
import classes from "@/features/tape-editor/notes/notes.module.css";
import { placeOf } from "@/features/tape-editor/notes/noteDrafts";
import { useNotesOf, useNoteWriting } from "@/features/tape-editor/notes/NotesProvider";
import { ScoreForm } from "@/features/tape-editor/notes/ScoreForm";
import { type StepRow, useTapeModel } from "@/features/tape-editor/editor";
import { ErrorState, RowsSkeleton } from "@/ui/States";

export function NotesTab({ row }: { row: StepRow | undefined }) {
  const { tape } = useTapeModel();
  const notes = useQuery(notesQuery(tape.id));
  if (notes.isPending) return <RowsSkeleton rows={4} label="Loading the notes" />;
  if (notes.isError) {
    return (
      <ErrorState
        title="The notes could not be loaded"
        message={describeError(notes.error)}
        onRetry={() => void notes.refetch()}
      />
    );
  }
  return (
    <>
      {row !== undefined && <OfStep row={row} />}
      <OfTape isAlone={row === undefined} />
    </>
  );
}

function OfStep({ row }: { row: StepRow }) {
  const { origin } = row.slot;
  const notes = useNotesOf(origin);
  const { drafts, dispatch } = useNoteWriting();
  const place = placeOf(origin);
  const anchor = drafts.byPlace.get(place)?.anchor ?? null;
  const name = `Step ${row.index}`;
  if (origin === null) {
    return (
      <section className={classes.section} aria-label={name}>
        <h2 className={classes.heading}>{name}</h2>
        <p className={classes.nothing}>
          You can comment on an inserted step once the draft is saved or resumed.
        </p>
      </section>
    );
  }
  return (
    <section className={classes.section} aria-label={name}>
      <h2 className={classes.heading}>{name}</h2>
      <ForWriters>
        {anchor === null || anchor.quote === "" ? (
          <FieldChoice
            position={origin}
            field={anchor?.field ?? ""}
            onChange={(field) =>
              dispatch({ type: "note.anchored", place, anchor: wholeField(field) })
            }
          />
        ) : (
          <ChosenText
            quote={anchor.quote}
            onLeave={() => dispatch({ type: "note.anchored", place, anchor: null })}
          />
        )}
      </ForWriters>
      <ForWriters>
        <ScoreForm position={origin} anchor={anchor} scores={ofKind(notes, "score")} />
      </ForWriters>
      <LabelForm position={origin} anchor={anchor} labels={ofKind(notes, "label")} />
      <NoteList notes={notes} row={row} nothing="No notes on this step yet." />
      <ForWriters>
        <NoteForm position={origin} label="Note on this step" />
      </ForWriters>
    </section>
  );
}

function OfTape({ isAlone }: { isAlone: boolean }) {
  const notes = useNotesOf(null);
  return (
    <details className={classes.section} open={isAlone || notes.length > 0}>
      <summary className={`ts-row ts-fold ${classes.summary}`}>
        <IconMessagePlus size={14} stroke={1.75} aria-hidden="true" />
        Whole tape{notes.length > 0 && ` (${notes.length})`}
      </summary>
      <ForWriters>
        <ScoreForm position={null} anchor={null} scores={ofKind(notes, "score")} />
      </ForWriters>
      <LabelForm position={null} anchor={null} labels={ofKind(notes, "label")} />
      <NoteList notes={notes} nothing="No notes on the whole tape yet." />
      <ForWriters>
        <NoteForm position={null} label="Note on the whole tape" />
      </ForWriters>
    </details>
  );
}

function wholeField(field: string): Anchor | null {
  return field === "" ? null : { field, start: null, end: null, quote: "" };
}

function ofKind(notes: readonly Annotation[], kind: Annotation["kind"]): Annotation[] {
  return notes.filter((note) => note.kind === kind);
}

interface NoteListProps {
  notes: readonly Annotation[];
  row?: StepRow;
  nothing: string;
}

function NoteList({ notes, row, nothing }: NoteListProps) {
  const listed = notes.filter(({ kind }) => kind !== "label");
  if (notes.length === 0) return <p className={classes.nothing}>{nothing}</p>;
  if (listed.length === 0) return null;
  return (
    <ul className={classes.list}>
      {listed.map((note) => (
        <NoteItem key={note.id} note={note} {...(row === undefined ? {} : { row })} />
      ))}
    </ul>
  );
}
