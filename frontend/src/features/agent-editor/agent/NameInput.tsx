import { TextInput } from "@mantine/core";
import { useState } from "react";

interface NameInputProps {
  label: string;
  name: string;
  onRename: (name: string) => void;
}

/** A name that is changed when it is complete: halfway it could be that of another one. */
export function NameInput({ label, name, onRename }: NameInputProps) {
  const [typed, setTyped] = useState(name);
  const finish = () => {
    const wanted = typed.trim();
    if (wanted === "") setTyped(name);
    else if (wanted !== name) onRename(wanted);
  };
  return (
    <TextInput
      label={label}
      value={typed}
      maxLength={200}
      onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      onBlur={finish}
      onKeyDown={({ key }) => {
        if (key === "Enter") finish();
      }}
    />
  );
}
