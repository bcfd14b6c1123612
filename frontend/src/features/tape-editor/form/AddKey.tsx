import { Button, Group, TextInput } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useState } from "react";

interface AddKeyProps {
  taken: readonly string[];
  onAdd: (name: string) => void;
}

/** A button that, once clicked, asks for the name of one more field. */
export function AddKey({ taken, onAdd }: AddKeyProps) {
  const [name, setName] = useState<string | null>(null);
  if (name === null) {
    return (
      <div>
        <Button
          variant="subtle"
          size="compact-xs"
          leftSection={<IconPlus size={12} />}
          onClick={() => setName("")}
        >
          Add field
        </Button>
      </div>
    );
  }
  const isTaken = taken.includes(name.trim());
  const add = () => {
    if (name.trim() === "" || isTaken) return;
    onAdd(name.trim());
    setName(null);
  };
  return (
    <Group gap={8} align="flex-start">
      <TextInput
        aria-label="Name of the new field"
        placeholder="Name of the field"
        data-autofocus
        value={name}
        error={isTaken ? "This field already exists." : null}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter") {
            event.preventDefault();
            add();
          }
        }}
      />
      <Button variant="default" disabled={name.trim() === "" || isTaken} onClick={add}>
        Add
      </Button>
      <Button variant="subtle" color="gray" onClick={() => setName(null)}>
        Cancel
      </Button>
    </Group>
  );
}
