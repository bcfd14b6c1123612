/** One note or score: its author, what it is about, and what its author may do with it. */
import { ActionIcon, Anchor, Button, Textarea } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { IconPencil, IconRobot, IconTrash } from "@tabler/icons-react";
import { useState } from "react";
import { Link } from "react-router";

import { ForWriters } from "@/api/ForWriters";
import { stepsQuery } from "@/api/tapes";
import type { Annotation } from "@/api/types";
import { Correction } from "@/features/tape-editor/notes/Correction";
import { anchorState } from "@/features/tape-editor/notes/anchors";
import { NoteFrame, NoteWords } from "@/features/tape-editor/notes/NoteFrame";
import classes from "@/features/tape-editor/notes/notes.module.css";
import { useNoteActions } from "@/features/tape-editor/notes/useNoteActions";
import { revealQuote } from "@/features/tape-editor/notes/noteMarks";
import { agentAddress, type StepRow, useTapeModel } from "@/features/tape-editor/editor";
import { cutText, visibleText } from "@/lib/visibleText";

interface NoteItemProps {
  note: Annotation;
  row?: StepRow;
}

export function NoteItem({ note, row }: NoteItemProps) {
  const [isEditing, setEditing] = useState(false);
  return (
    <NoteFrame
      note={note}
      actions={
        <NoteActions note={note} row={row} onEdit={() => setEditing(true)} isEditing={isEditing} />
      }
      about={<About note={note} {...(row === undefined ? {} : { row })} />}
    >
      {isEditing ? (
        <EditNote note={note} onDone={() => setEditing(false)} />
      ) : (
        <NoteText note={note} {...(row === undefined ? {} : { row })} />
      )}
    </NoteFrame>
  );
}

interface NoteActionsProps {
  note: Annotation;
  row: StepRow | undefined;
  isEditing: boolean;
  onEdit: () => void;
}

function NoteActions({ note, row, isEditing, onEdit }: NoteActionsProps) {
  const { tape } = useTapeModel();
  const { remove } = useNoteActions();
  const agent = agentAddress(tape, row?.slot.origin ?? null, note.id);
  return (
    <>
      {agent !== null && isOfWords(note) && (
        <ForWriters>
          <ActionIcon
            component={Link}
            to={agent}
            size={22}
            aria-label="Edit agent here"
            title="Edit the agent, with this note and its step in view"
          >
            <IconRobot size={13} stroke={1.75} />
          </ActionIcon>
        </ForWriters>
      )}
      {note.can_edit && isOfWords(note) && !isEditing && (
        <ActionIcon size={22} aria-label={`Edit the ${note.kind}`} onClick={onEdit}>
          <IconPencil size={13} stroke={1.75} />
        </ActionIcon>
      )}
      {note.can_delete && (
        <ActionIcon
          size={22}
          aria-label={`Delete the ${note.kind}`}
          loading={remove.isPending}
          onClick={() => remove.mutate(note)}
        >
          <IconTrash size={13} stroke={1.75} />
        </ActionIcon>
      )}
    </>
  );
}

function isOfWords({ kind }: Annotation): boolean {
  return kind === "note" || kind === "correction";
}

function NoteText({ note, row }: NoteItemProps) {
  if (note.kind === "correction") return <Correction note={note} {...(row && { row })} />;
  return <NoteWords note={note} />;
}

const QUOTE = 160;

/** The piece of text and the field that the note is about, and its tape if that is another one. */
function About({ note, row }: NoteItemProps) {
  const { tape } = useTapeModel();
  const origin = row?.slot.origin ?? null;
  const step = useQuery({
    ...stepsQuery(tape.id, origin ?? 0, 1),
    enabled: origin !== null && note.field !== "",
    staleTime: Infinity,
  });
  const recorded = step.data?.items[0];
  const body = row?.slot.written ?? recorded?.body;
  // What is missing from the beginning of a large step may still be further on.
  const isCut = body === recorded?.body && (recorded?.cut ?? null) !== null;
  const where = isCut ? "there" : anchorState(note, body);
  const quote = cutText(note.quote, QUOTE);
  return (
    <>
      {note.quote !== "" && note.kind !== "correction" && (
        <button
          type="button"
          className={`ts-words ${classes.quote}`}
          title="Show it in the step"
          disabled={where !== "there" || row === undefined}
          onClick={() => row !== undefined && revealQuote(row.index, note.quote)}
        >
          {visibleText(quote)}
          {quote.length < note.quote.length && "…"}
        </button>
      )}
      {note.quote === "" && note.field !== "" && (
        <span className={`ts-hint ${classes.field}`}>{visibleText(note.field)}</span>
      )}
      {where !== "there" && (
        <p className={classes.gone} role="note">
          {where === "changed"
            ? "The text it is about was changed in this draft."
            : "The field it is about is no longer in this step."}
        </p>
      )}
      {note.tape_id !== tape.id && (
        <Anchor component={Link} to={`/t/${note.tape_id}?view=notes`} size="xs">
          From a related tape that shares this step
        </Anchor>
      )}
    </>
  );
}

function EditNote({ note, onDone }: { note: Annotation; onDone: () => void }) {
  const [text, setText] = useState(note.text);
  const { change } = useNoteActions();
  const onSave = () => change.mutate({ id: note.id, text }, { onSuccess: onDone });
  return (
    <form
      className={`ts-column ${classes.form}`}
      onSubmit={(event) => {
        event.preventDefault();
        onSave();
      }}
    >
      <Textarea
        aria-label={`Text of the ${note.kind}`}
        autosize
        minRows={2}
        maxRows={12}
        data-autofocus
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "Escape") {
            // Only the button discards changed text.
            event.preventDefault();
            if (text === note.text) onDone();
            else event.currentTarget.blur();
          }
          if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) {
            // It saves the note, and does not resume the tape.
            event.preventDefault();
            onSave();
          }
        }}
      />
      <div className={`ts-row ${classes.formFoot}`}>
        <Button variant="subtle" onClick={onDone}>
          Cancel
        </Button>
        <Button
          type="submit"
          loading={change.isPending}
          disabled={note.kind === "note" && text.trim() === ""}
        >
          Save
        </Button>
      </div>
    </form>
  );
}
