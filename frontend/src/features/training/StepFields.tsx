/** Which steps of the chosen tapes are left out, beside those that a person keeps from training. */
import { NumberInput, Select } from "@mantine/core";

import { type SetDraft, SEVERITIES } from "@/features/training/setDraft";

interface StepFieldsProps {
  draft: SetDraft;
  onChange: (part: Partial<SetDraft>) => void;
}

export function StepFields({ draft, onChange }: StepFieldsProps) {
  return (
    <>
      {draft.source !== "relabeled" && (
        <Select
          label="Leave out steps with findings"
          description="The linter looks through each tape; the LLM calls that led to such a step are left out"
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
        description="0 is the bottom of each scale and 1 its top; steps without a score are taken"
        placeholder="None"
        min={0}
        max={1}
        step={0.1}
        value={draft.minimumScore}
        onChange={(minimumScore) => onChange({ minimumScore })}
      />
    </>
  );
}
