/** Tags: the project's words for tapes, and changing them on many tapes at once. */
import { notifications } from "@mantine/notifications";
import {
  queryOptions,
  useMutation,
  useQuery,
  useQueryClient,
  type QueryClient,
} from "@tanstack/react-query";
import { useMemo } from "react";

import { client, unwrap } from "@/api/client";
import { showFailure } from "@/api/showFailure";
import { tapeKeys } from "@/api/tapes";
import type { TagChange, TagChangeIn, TapeSelection } from "@/api/types";
import { countOf } from "@/lib/format";
import { offerUndo } from "@/ui/undoToast";

/** What the server reads as "all tapes"; a selection spells out only what narrows it. */
export const ALL_TAPES: TapeSelection = { q: "" };

/** The project's tags by name, each with how many tapes have it. */
export function tagsQuery() {
  return queryOptions({
    queryKey: [...tapeKeys.lists, "tags"],
    queryFn: ({ signal }) => unwrap(client.GET("/api/v1/tapes/tags", { signal })),
  });
}

export function useTagNames(): readonly string[] {
  const { data } = useQuery(tagsQuery());
  return useMemo(() => data?.map(({ name }) => name) ?? [], [data]);
}

/** How many tapes a bulk action would apply to. */
export function tapeCountQuery(selection: Partial<TapeSelection>) {
  return queryOptions({
    queryKey: [...tapeKeys.lists, "count", selection],
    queryFn: async ({ signal }) => {
      const body = { ...ALL_TAPES, ...selection };
      const { tape_count: count } = await unwrap(
        client.POST("/api/v1/tapes/count", { body, signal }),
      );
      return count;
    },
  });
}

export type TagRequest = Partial<TapeSelection> & Pick<TagChangeIn, "add" | "remove">;

/** Change tags; a toast shows how many tapes that affected and offers to undo exactly that. */
export function useChangeTags() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (request: TagRequest) =>
      unwrap(client.POST("/api/v1/tapes/tags", { body: { ...ALL_TAPES, ...request } })),
    onSuccess: async (change) => {
      await refresh(queries);
      notify(queries, change);
    },
  });
}

function notify(queries: QueryClient, { id, changed_count: count }: TagChange): void {
  if (id === null) {
    notifications.show({ title: "No tags changed", message: "They already had these tags." });
    return;
  }
  offerUndo(`Tags of ${countOf(count, "tape")} changed`, () => void undo(queries, id));
}

async function undo(queries: QueryClient, changeId: string): Promise<void> {
  try {
    const path = { change_id: changeId };
    await unwrap(client.POST("/api/v1/tapes/tags/{change_id}/undo", { params: { path } }));
  } catch (error) {
    showFailure("The tag change was not undone", error);
  }
  await refresh(queries);
}

/** Refreshes lists and the headers of open tapes; steps and calls have no tags. */
async function refresh(queries: QueryClient): Promise<void> {
  await queries.invalidateQueries({
    queryKey: tapeKeys.all,
    predicate: ({ queryKey }) => queryKey[1] === "list" || queryKey.length === 2,
  });
}
