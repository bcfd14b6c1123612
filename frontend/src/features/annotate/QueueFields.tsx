/** The fields of a new queue. Its rubric decides whether it takes tapes or pairs of tapes. */
import { NumberInput, Select, Stack, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";

import { annotatorsQuery } from "@/api/queues";
import type { QueueIn } from "@/api/types";
import classes from "@/features/annotate/lists.module.css";
import { PeopleSelect } from "@/features/annotate/PeopleSelect";
import {
  chosenRubric,
  namedRubric,
  usualAudit,
  type RubricChoice,
} from "@/features/annotate/queueForm";
import { visibleText } from "@/lib/visibleText";

interface QueueFieldsProps {
  queue: QueueIn;
  choices: readonly RubricChoice[];
  onChange: (part: Partial<QueueIn>) => void;
}

export function QueueFields({ queue, choices, onChange }: QueueFieldsProps) {
  const writers = useQuery(annotatorsQuery());
  const chosen = chosenRubric(queue, choices);
  return (
    <Stack gap={12}>
      <TextInput
        label="Name"
        data-autofocus
        maxLength={200}
        value={queue.name}
        onChange={({ currentTarget }) => onChange({ name: currentTarget.value })}
      />
      <Select
        label="Rubric"
        description={
          queue.mode === "pairwise"
            ? "This rubric asks which of two tapes is better, so the queue takes pairs."
            : "The questions asked about each tape."
        }
        allowDeselect={false}
        data={choices.map(({ value, label }) => ({ value, label: visibleText(label) }))}
        value={chosen}
        onChange={(value) => {
          const found = choices.find((choice) => choice.value === value);
          if (found !== undefined) onChange(namedRubric(found));
        }}
      />
      <div className={classes.numbers}>
        <NumberInput
          label="People per item"
          min={1}
          max={20}
          allowDecimal={false}
          value={queue.annotators_per_item}
          onChange={(value) => onChange({ annotators_per_item: Number(value) || 1 })}
        />
        <NumberInput
          label="Audited (%)"
          min={0}
          max={100}
          value={queue.audit_percent ?? usualAudit(queue, writers.data?.length ?? 0)}
          onChange={(value) => onChange({ audit_percent: Number(value) })}
        />
        <NumberInput
          label="Lock (minutes)"
          min={1}
          max={10_080}
          allowDecimal={false}
          value={queue.lock_minutes}
          onChange={(value) => onChange({ lock_minutes: Number(value) || 1 })}
        />
      </div>
      <p className={`ts-hint ${classes.help}`}>
        One more person answers the audited share, so that agreement can be measured. An item that
        was opened but not answered becomes available again when its lock expires.
      </p>
      <PeopleSelect people={queue.people ?? []} onChange={(people) => onChange({ people })} />
    </Stack>
  );
}
