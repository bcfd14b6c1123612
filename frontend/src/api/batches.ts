/** Batches: the list, two compared, several against one, and the tapes of one task. */
import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";

import { client, unwrap } from "@/api/client";

export function batchesQuery() {
  return queryOptions({
    queryKey: ["batches"],
    queryFn: ({ signal }) => unwrap(client.GET("/api/v1/batches", { signal })),
  });
}

const PAGE = 100;

/** Batches with their sums, newest first. */
export function batchSummariesQuery() {
  return infiniteQueryOptions({
    queryKey: ["batches", "summaries"],
    initialPageParam: "",
    queryFn: ({ pageParam, signal }) =>
      unwrap(
        client.GET("/api/v1/batches/summaries", {
          params: { query: { after: pageParam, limit: PAGE } },
          signal,
        }),
      ),
    getNextPageParam: ({ next }) => next,
  });
}

export function batchDiffQuery(a: string, b: string, by: string) {
  return queryOptions({
    queryKey: ["batches", "diff", a, b, by],
    queryFn: ({ signal }) =>
      unwrap(client.GET("/api/v1/batches/diff", { params: { query: { a, b, by } }, signal })),
    placeholderData: keepPreviousData,
  });
}

export function batchMatrixQuery(ids: readonly string[], by: string, baseline: string) {
  const query = { id: [...ids], by, ...(baseline === "" ? {} : { baseline }) };
  return queryOptions({
    queryKey: ["batches", "matrix", ids, by, baseline],
    queryFn: ({ signal }) =>
      unwrap(client.GET("/api/v1/batches/matrix", { params: { query }, signal })),
    placeholderData: keepPreviousData,
  });
}

export function taskPathsQuery(ids: readonly string[], by: string, key: string) {
  return queryOptions({
    queryKey: ["batches", "alignment", ids, by, key],
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/api/v1/batches/alignment", {
          params: { query: { id: [...ids], by, key } },
          signal,
        }),
      ),
  });
}
