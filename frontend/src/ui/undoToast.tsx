import { Button, Group } from "@mantine/core";
import { notifications } from "@mantine/notifications";

const UNDO_MS = 12_000;

/** Something else that a toast leads to. */
interface Way {
  words: string;
  run: () => void;
}

/** Say what was done and offer, for a while, to take it back. */
export function offerUndo(title: string, onUndo: () => void, further?: Way): void {
  offerWays(title, [{ words: "Undo", run: onUndo }, ...(further === undefined ? [] : [further])]);
}

/** Say what was done and, for a while, where one can go from there. */
export function offerWays(title: string, ways: readonly Way[]): void {
  const id = notifications.show({
    title,
    message: (
      <Group gap={8}>
        {ways.map(({ words, run }) => (
          <Button
            key={words}
            variant="default"
            size="compact-xs"
            onClick={() => {
              notifications.hide(id);
              run();
            }}
          >
            {words}
          </Button>
        ))}
      </Group>
    ),
    autoClose: UNDO_MS,
  });
}
