/** The note on a version, or a field in its place while a person changes it. */
import { ActionIcon, Textarea, Tooltip } from "@mantine/core";
import { IconPencil } from "@tabler/icons-react";
import { useEffect, useRef, useState } from "react";

import { useVersionNote } from "@/api/agents";
import { useCanWrite } from "@/api/session";
import { showFailure } from "@/api/showFailure";
import type { AgentVersion } from "@/api/types";
import { OwnFold } from "@/ui/fields/OwnFold";
import { offerUndo } from "@/ui/undoToast";

const LONGEST = 1000;
const nothing = () => undefined;

export function VersionNote({ version: { id, number, note } }: { version: AgentVersion }) {
  const canWrite = useCanWrite();
  const [isEditing, setEditing] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const { mutate } = useVersionNote();
  const write = (text: string, onSuccess: () => void) =>
    mutate(
      { versionId: id, note: text },
      { onSuccess, onError: (error) => showFailure("The note was not changed", error) },
    );
  const onDone = (text: string) => {
    setEditing(false);
    const wanted = text.trim();
    if (wanted !== note) {
      write(wanted, () =>
        offerUndo(`The note of v${number} is changed`, () => write(note, nothing)),
      );
    }
    // The button exists again after the next render.
    requestAnimationFrame(() => button.current?.focus());
  };
  if (isEditing) return <NoteField number={number} note={note} onDone={onDone} />;
  return (
    <span className="ts-row">
      <OwnFold text={note} />
      {canWrite && (
        <Tooltip label={note === "" ? "Write a note" : "Change the note"}>
          <ActionIcon
            ref={button}
            size={24}
            aria-label={`Change the note of v${number}`}
            onClick={() => setEditing(true)}
          >
            <IconPencil size={14} stroke={1.75} />
          </ActionIcon>
        </Tooltip>
      )}
    </span>
  );
}

interface NoteFieldProps {
  number: number;
  note: string;
  onDone: (text: string) => void;
}

/** Enter and leaving the field save, Shift with Enter begins a line, and Escape gives up. */
function NoteField({ number, note, onDone }: NoteFieldProps) {
  const [text, setText] = useState(note);
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    field.current?.focus();
    field.current?.setSelectionRange(note.length, note.length);
  }, [note]);
  return (
    <Textarea
      aria-label={`Note of v${number}`}
      autosize
      maxRows={6}
      maxLength={LONGEST}
      ref={field}
      value={text}
      onChange={({ currentTarget }) => setText(currentTarget.value)}
      onBlur={() => onDone(text)}
      onKeyDown={(event) => {
        if (event.key !== "Escape" && (event.key !== "Enter" || event.shiftKey)) return;
        event.stopPropagation();
        event.preventDefault();
        onDone(event.key === "Enter" ? text : note);
      }}
    />
  );
}
