/** Chooses steps of the tapes to skip, besides those that a person excluded from training. */
import { NumberInput, Select } from "@mantine/core";

import { type SetDraft, SEVERITIES } from "@/features/training/setDraft";
import classes from "@/features/training/training.module.css";

interface StepFieldsProps {
  draft: SetDraft;
  onChange: (part: Partial<SetDraft>) => void;
}

export function StepFields({ draft, onChange }: StepFieldsProps) {
  return (
    <div className={classes.fields}>
      {draft.source !== "relabeled" && (
        <Select
          label="Leave out steps with findings"
          description="With the LLM calls that led to them"
          placeholder="None"
          clearable
          data={SEVERITIES}
          value={draft.findings}
          onChange={(value) =>
            onChange({ findings: SEVERITIES.find((one) => one.value === value)?.value ?? null })
          }
        />
      )}
      <NumberInput
        label="Minimum step score"
        description="From 0 to 1; steps without a score are kept"
        placeholder="None"
        min={0}
        max={1}
        step={0.1}
        value={draft.minimumScore}
        onChange={(minimumScore) => onChange({ minimumScore })}
      />
    </div>
  );
}
