/** The tape's name, or a field in its place while a person changes it. */
import { ActionIcon, TextInput, Tooltip } from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";
import { IconPencil } from "@tabler/icons-react";
import { useEffect, useMemo, useRef, useState } from "react";

import { useCanWrite } from "@/api/session";
import { useTapeMarks } from "@/api/useTapeMarks";
import classes from "@/features/tape-editor/header/header.module.css";
import { useTapeModel } from "@/features/tape-editor/editor";
import { useCommands } from "@/lib/commands";
import { visibleText } from "@/lib/visibleText";

const LONGEST = 300;

export function TapeTitle() {
  const { tape } = useTapeModel();
  const { rename } = useTapeMarks();
  const canRename = useCanWrite() && !tape.is_archived;
  const [isEditing, setEditing] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const title = tape.title === "" ? "Untitled tape" : visibleText(tape.title);
  useDocumentTitle(`${title} · Tape Studio`);
  useCommands(
    "Tape",
    useMemo(
      () => (canRename ? [{ label: "Rename the tape", run: () => setEditing(true) }] : []),
      [canRename],
    ),
  );
  const onDone = (text: string | null) => {
    setEditing(false);
    const wanted = text?.trim() ?? "";
    if (wanted !== "" && wanted !== tape.title) rename(tape.id, wanted);
    // The button exists again after the next render.
    requestAnimationFrame(() => button.current?.focus());
  };
  if (isEditing && canRename) return <TitleField title={tape.title} onDone={onDone} />;
  return (
    <>
      <h1 className={`ts-truncate ${classes.title}`} title={title}>
        {title}
      </h1>
      {canRename && (
        <Tooltip label="Rename">
          <ActionIcon
            ref={button}
            className={classes.rename}
            size={24}
            aria-label="Rename the tape"
            onClick={() => setEditing(true)}
          >
            <IconPencil size={14} stroke={1.75} />
          </ActionIcon>
        </Tooltip>
      )}
    </>
  );
}

interface TitleFieldProps {
  title: string;
  /** `null`: leave the name as it is. */
  onDone: (text: string | null) => void;
}

function TitleField({ title, onDone }: TitleFieldProps) {
  const [text, setText] = useState(title);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.select(), []);
  return (
    <TextInput
      ref={field}
      className={classes.titleField}
      aria-label="Name of the tape"
      maxLength={LONGEST}
      value={text}
      onChange={({ currentTarget }) => setText(currentTarget.value)}
      onBlur={() => onDone(text)}
      onKeyDown={(event) => {
        if (event.key !== "Enter" && event.key !== "Escape") return;
        // The key must not resume the agent or close what is around the field.
        event.stopPropagation();
        event.preventDefault();
        onDone(event.key === "Enter" ? text : null);
      }}
    />
  );
}
