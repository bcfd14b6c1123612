/** Lists that come page by page. */
import { infiniteQueryOptions, type QueryKey } from "@tanstack/react-query";

const PAGE = 100;

interface Page {
  items: readonly unknown[];
  /** Where the next page begins; `null`: this is the last one. */
  next: string | null;
}

/** What is asked of a page; the first one has no `after`. */
export interface PageQuery {
  after?: string;
  limit: number;
}

interface PagedList<List extends Page> {
  key: QueryKey;
  ask: (query: PageQuery, signal: AbortSignal) => Promise<List>;
  /** Of a page. */
  limit?: number;
  /** When to ask again, by the rows that have come; left out: never. */
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

/** The rows of all pages that have come. */
export function rowsOf<Row>(data: { pages: readonly { items: readonly Row[] }[] } | undefined) {
  return data?.pages.flatMap(({ items }) => items) ?? [];
}
