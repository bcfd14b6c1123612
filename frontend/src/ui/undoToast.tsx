import { Button, Group } from "@mantine/core";
import { notifications } from "@mantine/notifications";

const UNDO_MS = 12_000;

/** Another action in a toast. */
interface Way {
  words: string;
  run: () => void;
}

/** Show what was done and, for a while, a button that undoes it. */
export function offerUndo(title: string, onUndo: () => void, further?: Way): void {
  offerWays(title, [{ words: "Undo", run: onUndo }, ...(further === undefined ? [] : [further])]);
}

/** Show what was done and, for a while, a button that leads somewhere from there. */
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
