/** One of several named parts: its name, a button that removes it, and its fields. */
import { ActionIcon, TextInput } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import type { ReactNode } from "react";

import classes from "@/features/checks/checks.module.css";

interface NamedFieldsetProps {
  noun: "constraint" | "checkpoint";
  /** Counted from 1. */
  place: number;
  name: string;
  onName: (name: string) => void;
  onRemove: () => void;
  children: ReactNode;
}

export function NamedFieldset(props: NamedFieldsetProps) {
  const { noun, place, name, onName, onRemove, children } = props;
  return (
    <fieldset className={`ts-stack ${classes.constraint}`}>
      <legend className="ts-hint">
        {noun === "constraint" ? "Constraint" : "Checkpoint"} {place}
      </legend>
      <div className={classes.named}>
        <TextInput
          className={classes.wide}
          aria-label={`Name of ${noun} ${place}`}
          placeholder="Name"
          maxLength={200}
          value={name}
          onChange={({ currentTarget }) => onName(currentTarget.value)}
        />
        <ActionIcon
          variant="default"
          size={30}
          aria-label={`Remove ${noun} ${place}`}
          onClick={onRemove}
        >
          <IconX size={14} />
        </ActionIcon>
      </div>
      {children}
    </fieldset>
  );
}
