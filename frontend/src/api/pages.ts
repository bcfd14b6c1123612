/** Lists that load page by page. */
import { infiniteQueryOptions, type QueryKey } from "@tanstack/react-query";

const PAGE = 100;

interface Page {
  items: readonly unknown[];
  /** Where the next page begins; `null` on the last page. */
  next: string | null;
}

/** The request for a page; the first one has no `after`. */
export interface PageQuery {
  after?: string;
  limit: number;
}

interface PagedList<List extends Page> {
  key: QueryKey;
  ask: (query: PageQuery, signal: AbortSignal) => Promise<List>;
  /** The page size. */
  limit?: number;
  /** The polling interval for the rows loaded so far; without it, the list is not polled. */
  everyMs?: (rows: List["items"][number][]) => number;
}

export function pagedQuery<List extends Page>(list: PagedList<List>) {
  const { key, ask, limit = PAGE, everyMs } = list;
  return infiniteQueryOptions({
    queryKey: key,
    initialPageParam: "",
    queryFn: ({ pageParam, signal }) =>
      ask({ ...(pageParam !== "" && { after: pageParam }), limit }, signal),
    getNextPageParam: ({ next }) => next,
    refetchInterval: ({ state }) => everyMs?.(rowsOf(state.data)) ?? false,
  });
}

/** The rows of all loaded pages. */
export function rowsOf<Row>(data: { pages: readonly { items: readonly Row[] }[] } | undefined) {
  return data?.pages.flatMap(({ items }) => items) ?? [];
}
