/** Which steps of the parent a child's steps replace. */
import { keepPreviousData, queryOptions } from "@tanstack/react-query";

import { client, unwrap } from "@/api/client";
import { tapeKeys } from "@/api/tapes";

/** Which steps of a child replace steps of its parent. */
export function replacedQuery(tapeId: string, stepCount: number) {
  return queryOptions({
    queryKey: [...tapeKeys.tape(tapeId), "replaced", stepCount],
    queryFn: async ({ signal }) => {
      const asked = client.GET("/api/v1/tapes/{tape_id}/replaced", {
        params: { path: { tape_id: tapeId } },
        signal,
      });
      const { items } = await unwrap(asked);
      return new Map(items.map((item) => [item.position, item]));
    },
    staleTime: Infinity,
    placeholderData: keepPreviousData,
  });
}

/** The parent's step that a step of the child replaces, and the words that differ. */
export function replacedStepQuery(tapeId: string, position: number) {
  return queryOptions({
    queryKey: [...tapeKeys.tape(tapeId), "replaced-step", position],
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/api/v1/tapes/{tape_id}/steps/{position}/replaced", {
          params: { path: { tape_id: tapeId, position } },
          signal,
        }),
      ),
    staleTime: Infinity,
  });
}
