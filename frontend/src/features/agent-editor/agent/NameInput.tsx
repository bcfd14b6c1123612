import { TextInput } from "@mantine/core";
import { useState } from "react";

interface NameInputProps {
  label: string;
  name: string;
  /** Names of the others, which it cannot have. */
  taken: readonly string[];
  onRename: (name: string) => void;
}

/** A name that is changed when it is complete: halfway it could be that of another one. */
export function NameInput({ label, name, taken, onRename }: NameInputProps) {
  const [typed, setTyped] = useState(name);
  const [shown, setShown] = useState(name);
  if (shown !== name) {
    // Renamed, or undone: the field stays, and with it the cursor.
    setShown(name);
    setTyped(name);
  }
  const wanted = typed.trim();
  const isTaken = wanted !== name && taken.includes(wanted);
  const finish = () => {
    if (wanted === "") setTyped(name);
    else if (wanted !== name && !isTaken) onRename(wanted);
  };
  return (
    <TextInput
      label={label}
      value={typed}
      maxLength={200}
      error={isTaken ? "Another one has this name." : null}
      onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      onBlur={finish}
      onKeyDown={({ key }) => {
        if (key === "Enter") finish();
      }}
    />
  );
}
