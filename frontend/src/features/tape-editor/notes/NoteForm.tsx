/** The field for a note: on a selected text, on the step, or on the tape. */
import { ActionIcon, Button, Textarea } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import { useEffect, useRef } from "react";

import classes from "@/features/tape-editor/notes/notes.module.css";
import { NO_DRAFT, placeOf } from "@/features/tape-editor/notes/noteDrafts";
import { useNoteWriting } from "@/features/tape-editor/notes/NotesProvider";
import { useNoteActions } from "@/features/tape-editor/notes/useNoteActions";
import { cutText, visibleText } from "@/lib/visibleText";
import { KeyHint } from "@/ui/KeyHint";

interface NoteFormProps {
  position: number | null;
  label: string;
}

const QUOTE = 160;
const SENT_QUOTE = 2000;
const HALF_PAIR = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

export function NoteForm({ position, label }: NoteFormProps) {
  const { drafts, dispatch } = useNoteWriting();
  const { add } = useNoteActions();
  const place = placeOf(position);
  const draft = drafts.byPlace.get(place) ?? NO_DRAFT;
  const field = useFocusWhenAsked(drafts.asked, drafts.byPlace.has(place));
  const onAdd = () => {
    if (draft.text.trim() === "" || add.isPending) return;
    const { anchor } = draft;
    add.mutate(
      {
        position,
        kind: "note",
        text: draft.text,
        ...(anchor !== null && {
          field: anchor.field,
          start: anchor.start,
          end: anchor.end,
          // Text with half characters is no JSON string that the server takes.
          quote: HALF_PAIR.test(anchor.quote) ? "" : cutText(anchor.quote, SENT_QUOTE),
        }),
      },
      { onSuccess: () => dispatch({ type: "note.finished", place }) },
    );
  };
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault();
        onAdd();
      }}
    >
      {draft.anchor !== null && (
        <div className={classes.chosen}>
          <span className={classes.quoted}>
            {visibleText(cutText(draft.anchor.quote, QUOTE))}
            {draft.anchor.quote.length > QUOTE && "…"}
          </span>
          <ActionIcon
            size={20}
            aria-label="Write about the whole step instead"
            onClick={() => dispatch({ type: "note.unanchored", place })}
          >
            <IconX size={12} />
          </ActionIcon>
        </div>
      )}
      <Textarea
        ref={field}
        aria-label={label}
        placeholder={draft.anchor === null ? label : "Note on this text"}
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
      <div className={classes.formFoot}>
        <KeyHint keys="mod+Enter" />
        <Button type="submit" loading={add.isPending} disabled={draft.text.trim() === ""}>
          Add note
        </Button>
      </div>
    </form>
  );
}

/** The field takes the focus when a person asked to write here, also right after it appeared. */
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
