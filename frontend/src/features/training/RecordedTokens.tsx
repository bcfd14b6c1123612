/** Chooses whether recorded tokens are learnt as they are, and for which base. */
import { Select } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";

import { describeError } from "@/api/client";
import { baseModelsQuery } from "@/api/training";

const TEXT = "";

interface RecordedTokensProps {
  /** Empty: all examples are made from text. */
  base: string;
  onChange: (base: string) => void;
}

export function RecordedTokens({ base, onChange }: RecordedTokensProps) {
  const bases = useQuery(baseModelsQuery());
  return (
    <Select
      label="Tokens"
      description="Recorded tokens are trained exactly as they were sampled, for one base model; calls without them are trained as text"
      allowDeselect={false}
      error={bases.isError && describeError(bases.error)}
      data={[
        { value: TEXT, label: "Made from text, for any base" },
        ...(bases.data ?? []).map(({ name }) => ({ value: name, label: `Recorded, of ${name}` })),
      ]}
      value={base}
      onChange={(value) => onChange(value ?? TEXT)}
    />
  );
}
