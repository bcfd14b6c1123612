import { Progress } from "@mantine/core";

/** The progress of a queue as a bar, next to the numbers. */
export function ProgressBar({ done, of }: { done: number; of: number }) {
  return (
    <Progress.Root size={6} w={96} radius={3} aria-hidden="true">
      <Progress.Section value={of === 0 ? 0 : (100 * done) / of} withAria={false} />
    </Progress.Root>
  );
}
