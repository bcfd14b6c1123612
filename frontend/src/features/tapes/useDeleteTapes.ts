import { notifications } from "@mantine/notifications";
import { useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";

import { describeError } from "@/api/client";
import { deleteTape, restoreTape, tapeKeys } from "@/api/tapes";
import { countOf } from "@/lib/format";
import { offerUndo } from "@/ui/undoToast";

/** Delete tapes and offer to take it back. A refused one says why; the others go. */
export function useDeleteTapes(): (ids: readonly string[]) => void {
  const queryClient = useQueryClient();
  return useCallback(
    (ids: readonly string[]) => {
      void deleteAll(ids, () => queryClient.invalidateQueries({ queryKey: tapeKeys.all }));
    },
    [queryClient],
  );
}

async function deleteAll(ids: readonly string[], refresh: () => Promise<void>): Promise<void> {
  const { done, refusals } = await forEachTape(ids, deleteTape);
  await refresh();
  for (const message of new Set(refusals)) showRefusal("A tape was not deleted", message);
  if (done.length === 0) return;
  offerUndo(`${countOf(done.length, "tape")} deleted`, () => void restoreAll(done, refresh));
}

async function restoreAll(ids: readonly string[], refresh: () => Promise<void>): Promise<void> {
  const { refusals } = await forEachTape(ids, restoreTape);
  await refresh();
  for (const message of new Set(refusals)) showRefusal("A tape was not restored", message);
}

async function forEachTape(ids: readonly string[], act: (id: string) => Promise<void>) {
  const outcomes = await Promise.allSettled(ids.map(act));
  const done = ids.filter((_, index) => outcomes[index]?.status === "fulfilled");
  const refusals = outcomes.flatMap((outcome) =>
    outcome.status === "rejected" ? [describeError(outcome.reason)] : [],
  );
  return { done, refusals };
}

function showRefusal(title: string, message: string): void {
  notifications.show({ color: "red", title, message, autoClose: false });
}
