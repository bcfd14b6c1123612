/** Labels of a step: short names that group what belongs together. */
import { Pill, TextInput } from "@mantine/core";
import { useState } from "react";

import type { Annotation } from "@/api/types";
import classes from "@/features/tape-editor/notes/notes.module.css";
import { useNoteActions } from "@/features/tape-editor/notes/useNoteActions";
import { visibleText } from "@/lib/visibleText";

interface LabelFormProps {
  position: number;
  labels: readonly Annotation[];
}

export function LabelForm({ position, labels }: LabelFormProps) {
  const [name, setName] = useState("");
  const { add, remove } = useNoteActions();
  const onAdd = () => {
    const wanted = name.trim();
    if (wanted === "" || add.isPending) return;
    const isThere = labels.some((label) => label.name === wanted);
    if (isThere) setName("");
    else add.mutate({ position, kind: "label", name: wanted }, { onSuccess: () => setName("") });
  };
  return (
    <div className={classes.labels}>
      {labels.map((label) => (
        <Pill
          key={label.id}
          title={visibleText(`${label.source_name}, ${label.source}`)}
          withRemoveButton={label.can_delete}
          removeButtonProps={{ "aria-label": `Remove label ${visibleText(label.name)}` }}
          onRemove={() => remove.mutate(label)}
        >
          {visibleText(label.name)}
        </Pill>
      ))}
      <TextInput
        className={classes.labelField}
        variant="unstyled"
        aria-label="Add a label"
        placeholder="Add a label"
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter") onAdd();
        }}
        onBlur={onAdd}
      />
    </div>
  );
}
