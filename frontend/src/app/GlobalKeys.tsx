import { useMantineColorScheme } from "@mantine/core";
import { useMemo } from "react";
import { useNavigate } from "react-router";

import { useCanWrite } from "@/api/session";
import { openKeysDialog } from "@/app/KeysDialog";
import { openPalette } from "@/app/palette";
import { usePlaces } from "@/app/usePlaces";
import { useCommands } from "@/lib/commands";
import { useKeys } from "@/lib/keys";
import { startTour } from "@/lib/tour";

export const EVERYWHERE = "Everywhere";

/** The keys and commands that work everywhere. */
export function GlobalKeys() {
  const navigate = useNavigate();
  const { toggleColorScheme } = useMantineColorScheme();
  const places = usePlaces();
  const canWrite = useCanWrite();
  const bindings = useMemo(
    () => [
      { keys: "mod+k", label: "Search and navigate", run: openPalette, whileTyping: true },
      { keys: "?", label: "Show keyboard shortcuts", run: openKeysDialog },
      ...places.map(({ keys, name, path }) => ({
        keys,
        label: `Go to ${name.toLowerCase()}`,
        run: () => void navigate(path),
      })),
    ],
    [navigate, places],
  );
  const commands = useMemo(
    () => [
      ...(canWrite ? [{ label: "Add a model", run: () => void navigate("/models?add=1") }] : []),
      { label: "Toggle light and dark theme", run: toggleColorScheme },
      { label: "Take the tour", run: startTour },
    ],
    [navigate, toggleColorScheme, canWrite],
  );
  useKeys(EVERYWHERE, bindings);
  useCommands(EVERYWHERE, commands);
  return null;
}
