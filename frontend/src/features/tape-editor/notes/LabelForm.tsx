/** Labels of a tape, a step, a field or a piece of its text: short names for grouping. */
import { Pill, TextInput } from "@mantine/core";
import { useState } from "react";

import { ForWriters } from "@/api/ForWriters";
import type { Annotation } from "@/api/types";
import type { Anchor } from "@/features/tape-editor/notes/anchors";
import { isAbout, nameOf, placed } from "@/features/tape-editor/notes/ChosenText";
import classes from "@/features/tape-editor/notes/notes.module.css";
import { useNoteActions } from "@/features/tape-editor/notes/useNoteActions";
import { cutText, visibleText } from "@/lib/visibleText";

const QUOTE = 40;

interface LabelFormProps {
  /** `null`: the tape as a whole. */
  position: number | null;
  /** A new label is about this field or piece of text. */
  anchor: Anchor | null;
  labels: readonly Annotation[];
}

export function LabelForm({ position, anchor, labels }: LabelFormProps) {
  const [name, setName] = useState("");
  const { add, remove } = useNoteActions();
  const about = position === null ? "Label the whole tape" : "Add a label";
  const words = anchor === null ? about : `Label ${nameOf(anchor)}`;
  const onAdd = () => {
    const wanted = name.trim();
    if (wanted === "" || add.isPending) return;
    const isThere = labels.some((label) => label.name === wanted && isAbout(label, anchor));
    if (isThere) setName("");
    else
      add.mutate(
        { position, kind: "label", name: wanted, ...placed(anchor) },
        { onSuccess: () => setName("") },
      );
  };
  return (
    <div className={`ts-row ${classes.labels}`}>
      {labels.map((label) => (
        <Pill
          key={label.id}
          title={visibleText(describeLabel(label))}
          withRemoveButton={label.can_delete}
          removeButtonProps={{ "aria-label": `Remove label ${visibleText(label.name)}` }}
          onRemove={() => remove.mutate(label)}
        >
          {visibleText(label.name)}
          {label.field !== "" && (
            <span className={classes.labelled}>
              {visibleText(cutText(label.quote || label.field, QUOTE))}
            </span>
          )}
        </Pill>
      ))}
      <ForWriters>
        <TextInput
          className={classes.labelField}
          variant="unstyled"
          aria-label={words}
          placeholder={words}
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === "Enter") onAdd();
          }}
          onBlur={onAdd}
        />
      </ForWriters>
    </div>
  );
}

function describeLabel({ source, source_name, quote, field }: Annotation): string {
  const about = quote === "" ? field : `"${quote}"`;
  return `${source_name}, ${source}${about === "" ? "" : `, about ${about}`}`;
}
