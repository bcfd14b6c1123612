/** Chooses how long a model thinks, wherever runs and tapes are started. */
import { Select, type SelectProps } from "@mantine/core";

import { type Effort, EFFORTS } from "@/lib/efforts";

interface EffortSelectProps extends Pick<SelectProps, "label" | "className" | "placeholder"> {
  value: Effort | null;
  onChange: (effort: Effort | null) => void;
}

export function EffortSelect({ value, onChange, label, ...look }: EffortSelectProps) {
  return (
    <Select
      {...look}
      label={label}
      aria-label="Reasoning effort"
      title="How long the model thinks, where it can; models that cannot may refuse. Empty: agent default"
      clearable
      data={EFFORTS}
      value={value}
      onChange={(chosen) => onChange(EFFORTS.find((effort) => effort === chosen) ?? null)}
    />
  );
}
