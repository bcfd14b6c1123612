/** The field for a note: on a selected text, a field, the step, or the tape. */
import { Button, SegmentedControl, Textarea } from "@mantine/core";
import { useEffect, useRef } from "react";

import { nameOf, placed } from "@/features/tape-editor/notes/ChosenText";
import classes from "@/features/tape-editor/notes/notes.module.css";
import { NO_DRAFT, type NoteDraft, placeOf } from "@/features/tape-editor/notes/noteDrafts";
import { useNoteWriting } from "@/features/tape-editor/notes/NotesProvider";
import { useNoteActions } from "@/features/tape-editor/notes/useNoteActions";
import { KeyHint } from "@/ui/KeyHint";

interface NoteFormProps {
  position: number | null;
  label: string;
}

export function NoteForm({ position, label }: NoteFormProps) {
  const { drafts, dispatch } = useNoteWriting();
  const { add } = useNoteActions();
  const place = placeOf(position);
  const draft = drafts.byPlace.get(place) ?? NO_DRAFT;
  const field = useFocusWhenAsked(drafts.asked, drafts.byPlace.has(place));
  const { anchor, isCorrection } = draft;
  const isReady = isCorrection ? draft.text !== anchor?.quote : draft.text.trim() !== "";
  const onAdd = () => {
    if (!isReady || add.isPending) return;
    add.mutate(
      {
        position,
        kind: isCorrection ? "correction" : "note",
        text: draft.text,
        ...placed(anchor),
      },
      { onSuccess: () => dispatch({ type: "note.finished", place }) },
    );
  };
  return (
    <form
      className={`ts-column ${classes.form}`}
      onSubmit={(event) => {
        event.preventDefault();
        onAdd();
      }}
    >
      {anchor !== null && anchor.quote !== "" && (
        <SegmentedControl
          size="xs"
          aria-label="Comment on this text"
          data={["Note", "Correction"]}
          value={isCorrection ? "Correction" : "Note"}
          onChange={(meaning) =>
            dispatch({ type: "note.kindChosen", place, isCorrection: meaning === "Correction" })
          }
        />
      )}
      <Textarea
        ref={field}
        aria-label={isCorrection ? "Replacement text" : label}
        placeholder={placeholderOf(draft, label)}
        autosize
        minRows={2}
        maxRows={12}
        value={draft.text}
        onChange={({ currentTarget }) =>
          dispatch({ type: "note.typed", place, text: currentTarget.value })
        }
        onKeyDown={(event) => {
          if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) {
            event.preventDefault();
            event.stopPropagation();
            onAdd();
          }
        }}
      />
      <div className={`ts-row ${classes.formFoot}`}>
        <KeyHint keys="mod+Enter" />
        <Button type="submit" loading={add.isPending} disabled={!isReady}>
          {isCorrection ? "Add correction" : "Add note"}
        </Button>
      </div>
    </form>
  );
}

function placeholderOf({ anchor, isCorrection }: NoteDraft, label: string): string {
  if (isCorrection) return "Empty: deletes the text";
  return anchor === null ? label : `Note on ${nameOf(anchor)}`;
}

/** The field takes the focus when a person asked to write here, even if it just appeared. */
function useFocusWhenAsked(asked: number, isHere: boolean) {
  const field = useRef<HTMLTextAreaElement>(null);
  const answered = useRef(0);
  useEffect(() => {
    if (!isHere || asked === answered.current) return;
    answered.current = asked;
    field.current?.focus();
  }, [asked, isHere]);
  return field;
}
