import { Button } from "@mantine/core";
import { notifications } from "@mantine/notifications";

const UNDO_MS = 12_000;

/** Say what was done and offer, for a while, to take it back. */
export function offerUndo(title: string, onUndo: () => void): void {
  const id = notifications.show({
    title,
    message: (
      <Button
        variant="default"
        size="compact-xs"
        onClick={() => {
          notifications.hide(id);
          onUndo();
        }}
      >
        Undo
      </Button>
    ),
    autoClose: UNDO_MS,
  });
}
