import { useMantineColorScheme } from "@mantine/core";
import { useMemo } from "react";
import { useNavigate } from "react-router";

import { openKeysDialog } from "@/app/KeysDialog";
import { openPalette } from "@/app/palette";
import { PLACES } from "@/app/places";
import { useCommands } from "@/lib/commands";
import { useKeys } from "@/lib/keys";
import { startTour } from "@/lib/tour";

export const EVERYWHERE = "Everywhere";

/** The keys and commands that work everywhere. */
export function GlobalKeys() {
  const navigate = useNavigate();
  const { toggleColorScheme } = useMantineColorScheme();
  const bindings = useMemo(
    () => [
      { keys: "mod+k", label: "Search and navigate", run: openPalette, whileTyping: true },
      { keys: "?", label: "Show keyboard shortcuts", run: openKeysDialog },
      ...PLACES.map(({ keys, name, path }) => ({
        keys,
        label: `Go to ${name.toLowerCase()}`,
        run: () => void navigate(path),
      })),
    ],
    [navigate],
  );
  const commands = useMemo(
    () => [
      { label: "Add a model", run: () => void navigate("/models?add=1") },
      { label: "Toggle light and dark theme", run: toggleColorScheme },
      { label: "Take the tour", run: startTour },
    ],
    [navigate, toggleColorScheme],
  );
  useKeys(EVERYWHERE, bindings);
  useCommands(EVERYWHERE, commands);
  return null;
}
