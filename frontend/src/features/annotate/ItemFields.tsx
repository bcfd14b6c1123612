/** The fields of one item in a rubric. */
import { Checkbox, NumberInput, Stack, Textarea, TextInput } from "@mantine/core";
import { useEffect, useRef } from "react";

import type { RubricItem } from "@/api/types";
import classes from "@/features/annotate/lists.module.css";

interface ItemFieldsProps {
  item: RubricItem;
  /** The item was just added, so it takes the focus. */
  isNew: boolean;
  problem: string | null;
  onChange: (item: RubricItem) => void;
}

export function ItemFields({ item, isNew, problem, onChange }: ItemFieldsProps) {
  const question = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (isNew) question.current?.focus();
  }, [isNew]);
  return (
    <Stack gap={8}>
      <div className={classes.row}>
        <TextInput
          ref={question}
          label="Question"
          maxLength={300}
          value={item.question}
          error={problem}
          onChange={({ currentTarget }) => onChange({ ...item, question: currentTarget.value })}
        />
        <TextInput
          label="Key"
          maxLength={40}
          classNames={{ input: "ts-mono" }}
          value={item.key}
          onChange={({ currentTarget }) => onChange({ ...item, key: currentTarget.value })}
        />
      </div>
      <KindFields item={item} onChange={onChange} />
      <Textarea
        label="Help"
        description="Explains when to give which answer."
        autosize
        minRows={1}
        maxLength={2000}
        value={item.help}
        onChange={({ currentTarget }) => onChange({ ...item, help: currentTarget.value })}
      />
      <Checkbox
        label="Required"
        checked={item.is_required}
        onChange={({ currentTarget }) => onChange({ ...item, is_required: currentTarget.checked })}
      />
    </Stack>
  );
}

function KindFields({ item, onChange }: Omit<ItemFieldsProps, "problem" | "isNew">) {
  switch (item.kind) {
    case "scale":
      return (
        <div className={classes.numbers}>
          <NumberInput
            label="From"
            allowDecimal={false}
            value={item.minimum}
            onChange={(value) => onChange({ ...item, minimum: Number(value) })}
          />
          <NumberInput
            label="To"
            allowDecimal={false}
            value={item.maximum}
            onChange={(value) => onChange({ ...item, maximum: Number(value) })}
          />
        </div>
      );
    case "choice":
      return (
        <Textarea
          label="Options"
          description="One per line."
          autosize
          minRows={2}
          maxRows={10}
          value={item.options.join("\n")}
          onChange={({ currentTarget }) =>
            onChange({ ...item, options: currentTarget.value.split("\n") })
          }
        />
      );
    case "binary":
      return (
        <Checkbox
          label="Sets the outcome of the tape"
          description="Of tapes that have no outcome: yes means passed, no means failed. Where people disagree, they have none."
          checked={item.sets_outcome}
          onChange={({ currentTarget }) =>
            onChange({ ...item, sets_outcome: currentTarget.checked })
          }
        />
      );
    case "text":
    case "preference":
      return null;
  }
}
