/** The same change to many tapes, named ones or all of a list; a toast offers undo. */
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient, type QueryClient } from "@tanstack/react-query";

import { client, unwrap } from "@/api/client";
import { familyKeys } from "@/api/families";
import { showLastingFailure } from "@/api/showFailure";
import { ALL_TAPES } from "@/api/tags";
import { tapeKeys } from "@/api/tapes";
import type { TapeChange, TapeChanged, TapeSelection } from "@/api/types";
import { countOf } from "@/lib/format";
import { visibleText } from "@/lib/visibleText";
import { offerUndo } from "@/ui/undoToast";

export interface ChangeRequest {
  selection: Partial<TapeSelection>;
  change: TapeChange;
  /** What was done, as it follows the number of tapes: "archived". */
  done: string;
}

export function useChangeTapes() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ selection, change }: ChangeRequest) =>
      unwrap(
        client.POST("/api/v1/tapes/changes", { body: { ...ALL_TAPES, ...selection, change } }),
      ),
    onSuccess: async (changed, { done }) => {
      await refresh(queries);
      notify(queries, changed, done);
    },
    onError: (error) => showLastingFailure("The tapes were not changed", error),
  });
}

function notify(queries: QueryClient, changed: TapeChanged, done: string): void {
  const { id, changed_count: count, left_out: leftOut } = changed;
  for (const { why, tape_count: left } of leftOut) {
    showLastingFailure(`${countOf(left, "tape")} not ${done}`, `${visibleText(why)}.`);
  }
  if (id !== null) {
    offerUndo(`${countOf(count, "tape")} ${done}`, () => void undo(queries, id));
  } else if (leftOut.length === 0) {
    notifications.show({ title: "No tape changed", message: "They were already that way." });
  }
}

async function undo(queries: QueryClient, changeId: string): Promise<void> {
  try {
    const path = { change_id: changeId };
    await unwrap(client.POST("/api/v1/tapes/changes/{change_id}/undo", { params: { path } }));
  } catch (error) {
    showLastingFailure("The change was not undone", error);
  }
  await refresh(queries);
}

async function refresh(queries: QueryClient): Promise<void> {
  await queries.invalidateQueries({
    queryKey: tapeKeys.all,
    predicate: ({ queryKey }) => queryKey[1] === "list" || queryKey.length === 2,
  });
  await queries.invalidateQueries({ queryKey: familyKeys.all });
}
