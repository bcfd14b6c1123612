/** Batches: the list, two compared, several against one, and the tapes of one task. */
import { keepPreviousData, queryOptions } from "@tanstack/react-query";

import { client, unwrap } from "@/api/client";
import { pagedQuery } from "@/api/pages";

export function batchesQuery() {
  return queryOptions({
    queryKey: ["batches"],
    queryFn: ({ signal }) => unwrap(client.GET("/api/v1/batches", { signal })),
  });
}

/** Batches with their totals, newest first. */
export function batchSummariesQuery() {
  return pagedQuery({
    key: ["batches", "summaries"],
    ask: (query, signal) =>
      unwrap(client.GET("/api/v1/batches/summaries", { params: { query }, signal })),
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
