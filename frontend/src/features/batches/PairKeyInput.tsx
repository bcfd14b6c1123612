/** The key that tapes are paired by: a usual one, or a JSON pointer. */
import { Autocomplete } from "@mantine/core";
import { useState } from "react";

const KEYS = ["task", "start", "title", "source_id", "expected"];

interface PairKeyInputProps {
  value: string;
  onChange: (by: string) => void;
}

/** Pass `key={value}`, so that a change of the address resets the field. */
export function PairKeyInput({ value, onChange }: PairKeyInputProps) {
  const [typed, setTyped] = useState(value);
  const settle = (text: string) => {
    const by = text.trim() === "" ? "task" : text.trim();
    setTyped(by);
    if (by !== value) onChange(by);
  };
  return (
    <Autocomplete
      size="xs"
      w={200}
      aria-label="Pair tapes by"
      title="task, start, title, source_id, expected, or a JSON pointer such as /metadata/seed"
      placeholder="task or /metadata/…"
      leftSectionWidth={56}
      leftSection={<span className="ts-dimmed">Pair by</span>}
      data={KEYS}
      filter={({ options }) => options}
      value={typed}
      onChange={setTyped}
      onOptionSubmit={settle}
      onBlur={() => settle(typed)}
      onKeyDown={(event) => event.key === "Enter" && settle(typed)}
    />
  );
}
