/** What the current screen can do, for the palette: every shortcut, and commands without one. */
import { useEffect, useId } from "react";

import { listKeys } from "@/lib/keys";

export interface Command {
  label: string;
  run: () => void;
  /** A second line that is searched too. */
  description?: string;
}

/** Commands, or a function that makes them from what is typed into the palette. */
export type CommandSource = readonly Command[] | ((typed: string) => readonly Command[]);

export interface OfferedCommand extends Command {
  /** Where the command belongs: "Tape", "Everywhere". */
  zone: string;
  keys?: string;
}

const zones = new Map<string, { name: string; source: CommandSource }>();

/** Offer commands without a shortcut while the calling component is mounted. */
export function useCommands(name: string, source: CommandSource): void {
  const id = useId();
  useEffect(() => {
    zones.set(id, { name, source });
    return () => {
      zones.delete(id);
    };
  }, [id, name, source]);
}

/** Lists all commands; keys that only move (j, k, Escape) make no sense in a search field. */
export function listCommands(typed: string): OfferedCommand[] {
  const withKeys = listKeys().flatMap(({ zone, keys }) =>
    keys.filter(({ isMove }) => isMove !== true).map((key) => ({ ...key, zone })),
  );
  const without = [...zones.values()].flatMap(({ name, source }) =>
    (typeof source === "function" ? source(typed) : source).map((command) => ({
      ...command,
      zone: name,
    })),
  );
  return [...without, ...withKeys];
}
