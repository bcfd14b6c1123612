/** Loads the outline of a tape page by page, starting where the reader looks. */
import { useQueries, useQueryClient } from "@tanstack/react-query";
import { useDeferredValue, useEffect, useState } from "react";

import { isBehind, outlinePageQuery, pageStarts, type ReadPage } from "@/api/outline";

export interface LoadingOutline {
  pages: readonly (ReadPage | undefined)[];
  /** All pages have loaded. */
  isComplete: boolean;
  error: Error | null;
  retry: () => void;
}

interface PageResult {
  data: ReadPage | undefined;
  error: Error | null;
  refetch: () => unknown;
}

/** The pages of an outline; `first` is the step that is shown first. */
export function useOutline(tapeId: string, stepCount: number, first = 0): LoadingOutline {
  // Fixed at mount: where the reader goes later does not change the order.
  const [position] = useState(first);
  const [hasFirst, setHasFirst] = useState(false);
  const loading = useQueries({
    queries: pageStarts(stepCount, position).map((start, index) => ({
      ...outlinePageQuery(tapeId, start),
      enabled: index === 0 || hasFirst,
    })),
    combine,
  });
  const hasPage = loading.pages[0] !== undefined;
  useEffect(() => {
    // The rest waits until the first page is drawn, which takes all the processing time there is.
    if (!hasPage) return undefined;
    const timer = setTimeout(() => setHasFirst(true), SEEN_MS);
    return () => clearTimeout(timer);
  }, [hasPage]);
  useCatchUp(tapeId, stepCount, loading.pages);
  // Later pages change what is out of sight: drawing them must not hold up a scroll.
  const later = useDeferredValue(loading.pages);
  // On a busy machine the deferred value may still be the one before the first page: nothing.
  // Everything on the screen would disappear for a moment, including what the reader is just
  // clicking.
  const isLaterThere = hasFirst && later[0] !== undefined;
  return { ...loading, pages: isLaterThere ? later : loading.pages };
}

/** How long to wait between the first page of an outline and the rest. */
const SEEN_MS = 250;

function combine(results: readonly PageResult[]): LoadingOutline {
  return {
    pages: results.map(({ data }) => data),
    isComplete: results.every(({ data }) => data !== undefined),
    error: results.find(({ error }) => error !== null)?.error ?? null,
    retry: () => {
      for (const result of results) if (result.error !== null) result.refetch();
    },
  };
}

/** Somebody else may have made the tape grow: the step count in its header shows that. */
function useCatchUp(
  tapeId: string,
  stepCount: number,
  pages: readonly (ReadPage | undefined)[],
): void {
  const queries = useQueryClient();
  const behind = pages.find((page) => page !== undefined && isBehind(page, stepCount));
  const start = behind?.columns.start ?? null;
  useEffect(() => {
    if (start === null) return;
    void queries.invalidateQueries({ queryKey: outlinePageQuery(tapeId, start).queryKey });
  }, [queries, tapeId, start, stepCount]);
}
