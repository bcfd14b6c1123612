import { Select } from "@mantine/core";

import type { AgentVersion } from "@/api/types";
import { formatMoment } from "@/lib/format";

interface VersionSelectProps {
  label: string;
  versions: readonly AgentVersion[];
  current: AgentVersion | undefined;
  /** The number of the published version, which is marked. */
  published?: number | null;
  onChange: (number: string) => void;
}

export function VersionSelect({
  label,
  versions,
  current,
  published,
  onChange,
}: VersionSelectProps) {
  return (
    <Select
      aria-label={label}
      w={{ base: 130, sm: 220 }}
      allowDeselect={false}
      data={versions.map(({ number, created_at }) => ({
        value: String(number),
        label: `v${number}${number === published ? " published" : ""}, ${formatMoment(new Date(created_at))}`,
      }))}
      value={current === undefined ? null : String(current.number)}
      onChange={(number) => number !== null && onChange(number)}
    />
  );
}
