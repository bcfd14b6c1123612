/** Families: the tapes that share steps, as the branch map draws them. */
import { queryOptions, useQuery, useQueryClient, type QueryClient } from "@tanstack/react-query";

import { client, unwrap } from "@/api/client";
import type { TapeFamily } from "@/api/types";

const LIVE_MS = 3000;

export const familyKeys = {
  all: ["families"],
  of: (tapeId: string) => ["families", tapeId],
};

export function familyQuery(tapeId: string) {
  return queryOptions({
    queryKey: familyKeys.of(tapeId),
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/api/v1/tapes/{tape_id}/family", {
          params: { path: { tape_id: tapeId } },
          signal,
        }),
      ),
    // A running branch grows, and new ones may appear.
    refetchInterval: ({ state: { data } }) =>
      data?.items.some((member) => member.is_active) === true ? LIVE_MS : false,
  });
}

/** Keeps the map in place when the reader moves to a sibling tape: both have one family. */
export function useFamilyQuery(tapeId: string) {
  const queries = useQueryClient();
  return useQuery({
    ...familyQuery(tapeId),
    placeholderData: () => findKnown(queries, tapeId),
  });
}

function findKnown(queries: QueryClient, tapeId: string): TapeFamily | undefined {
  const known = queries.getQueriesData<TapeFamily>({ queryKey: familyKeys.all });
  return known.map(([, family]) => family).find((family) => holds(family, tapeId));
}

function holds(family: TapeFamily | undefined, tapeId: string): boolean {
  return family?.items.some(({ id }) => id === tapeId) === true;
}
