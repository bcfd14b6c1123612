/** Shows how far a search got before its time limit, and continues on request. */
import { Button } from "@mantine/core";
import type { InfiniteData, UseInfiniteQueryResult } from "@tanstack/react-query";

import type { TapePage } from "@/api/types";
import classes from "@/features/tapes/query/query.module.css";

/** Whether the last page ended at the time limit. */
export function isSearchCut(pages: readonly TapePage[] | undefined): boolean {
  return pages?.at(-1)?.is_cut === true;
}

export function SearchNotice({ query }: { query: UseInfiniteQueryResult<InfiniteData<TapePage>> }) {
  const pages = query.data?.pages;
  if (!isSearchCut(pages)) return null;
  const searched = (pages ?? []).reduce((sum, page) => sum + (page.searched_count ?? 0), 0);
  return (
    <div className={`ts-row ${classes.notice}`} role="status">
      <span>
        Searched the newest {searched.toLocaleString("en-US")} tapes; narrow the list, or search
        further.
      </span>
      <Button
        size="compact-sm"
        variant="default"
        loading={query.isFetchingNextPage}
        onClick={() => void query.fetchNextPage()}
      >
        Search further
      </Button>
    </div>
  );
}
