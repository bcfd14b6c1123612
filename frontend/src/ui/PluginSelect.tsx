/** A select for the functions that plugins provide, with the description of the chosen one. */
import { Select } from "@mantine/core";

import { visibleText } from "@/lib/visibleText";

interface PluginSelectProps {
  label: string;
  /** Undefined while they are loading. */
  provided: readonly { name: string; description: string }[] | undefined;
  value: string | null;
  onChange: (name: string | null) => void;
}

export function PluginSelect({ label, provided, value, onChange }: PluginSelectProps) {
  const chosen = provided?.find(({ name }) => name === value);
  return (
    <Select
      label={label}
      description={
        provided?.length === 0
          ? "No plugin provides one; see docs/your-own-agent.md to write one"
          : visibleText(chosen?.description ?? "")
      }
      data={provided?.map(({ name }) => ({ value: name, label: visibleText(name) })) ?? []}
      value={value}
      onChange={onChange}
    />
  );
}
