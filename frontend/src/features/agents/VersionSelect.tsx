import { Select } from "@mantine/core";

import type { AgentVersion } from "@/api/types";
import { formatMoment } from "@/lib/format";

interface VersionSelectProps {
  label: string;
  versions: readonly AgentVersion[];
  current: AgentVersion | undefined;
  onChange: (number: string) => void;
}

export function VersionSelect({ label, versions, current, onChange }: VersionSelectProps) {
  return (
    <Select
      aria-label={label}
      w={{ base: 130, md: 220 }}
      allowDeselect={false}
      data={versions.map(({ number, created_at }) => ({
        value: String(number),
        label: `v${number}, ${formatMoment(new Date(created_at))}`,
      }))}
      value={current === undefined ? null : String(current.number)}
      onChange={(number) => number !== null && onChange(number)}
    />
  );
}
