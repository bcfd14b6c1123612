/** The query language of the tapes list: completions, and the facets of a list. */
import { keepPreviousData, queryOptions } from "@tanstack/react-query";

import { ApiError, client, describeError, unwrap } from "@/api/client";
import { tapeKeys, type TapeFilter } from "@/api/tapes";

export function completionQuery(q: string, caret: number) {
  return queryOptions({
    queryKey: [...tapeKeys.all, "completion", q, caret],
    queryFn: ({ signal }) =>
      unwrap(client.GET("/api/v1/tapes/completion", { params: { query: { q, caret } }, signal })),
    staleTime: 30_000,
  });
}

export function facetsQuery(filter: TapeFilter) {
  return queryOptions({
    queryKey: [...tapeKeys.lists, "facets", filter],
    queryFn: ({ signal }) =>
      unwrap(client.GET("/api/v1/tapes/facets", { params: { query: filter }, signal })),
    placeholderData: keepPreviousData,
  });
}

/** How many tapes a list has, as far as they can be counted quickly. */
export function listLengthQuery(filter: TapeFilter) {
  return queryOptions({
    queryKey: [...tapeKeys.lists, "length", filter],
    queryFn: ({ signal }) =>
      unwrap(client.GET("/api/v1/tapes/length", { params: { query: filter }, signal })),
  });
}

export interface QueryMistake {
  message: string;
  /** Code points before the mistake, and up to its end. */
  start: number;
  end: number;
  /** What could replace it; empty without a suggestion. */
  suggestion: string;
}

/**
 * Read where a refused query goes wrong, not counting the `before` code points of conditions that
 * were prepended to it; `null` for any other failure.
 */
export function readQueryMistake(error: unknown, before = 0): QueryMistake | null {
  if (!(error instanceof ApiError) || error.code !== "query_invalid") return null;
  const { start, end, suggestion } = error.details;
  if (typeof start !== "number" || typeof end !== "number") return null;
  return {
    message: describeError(error),
    start: Math.max(0, start - before),
    end: Math.max(0, end - before),
    suggestion: typeof suggestion === "string" ? suggestion : "",
  };
}
