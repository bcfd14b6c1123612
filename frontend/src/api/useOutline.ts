/** Loads the outline of a tape page by page, beginning where one looks. */
import { useQueries, useQueryClient } from "@tanstack/react-query";
import { useDeferredValue, useEffect, useState } from "react";

import { isBehind, outlinePageQuery, pageStarts, type ReadPage } from "@/api/outline";

export interface LoadingOutline {
  pages: readonly (ReadPage | undefined)[];
  /** Everything has come. */
  isComplete: boolean;
  error: Error | null;
  retry: () => void;
}

interface PageResult {
  data: ReadPage | undefined;
  error: Error | null;
  refetch: () => unknown;
}

/** The pages of an outline; `first` is the step that is looked at first. */
export function useOutline(tapeId: string, stepCount: number, first = 0): LoadingOutline {
  // Where the reader goes later does not change the order any more.
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
    // The rest waits until what one came for is drawn, which takes all that the machine has.
    if (!hasPage) return undefined;
    const timer = setTimeout(() => setHasFirst(true), SEEN_MS);
    return () => clearTimeout(timer);
  }, [hasPage]);
  useCatchUp(tapeId, stepCount, loading.pages);
  // Later pages change what is out of sight: to draw them must not hold up a scroll.
  const later = useDeferredValue(loading.pages);
  // On a busy machine it may still be what there was before the first page: nothing. All that is
  // seen would be gone for a moment, and with it what somebody is just clicking.
  const isLaterThere = hasFirst && later[0] !== undefined;
  return { ...loading, pages: isLaterThere ? later : loading.pages };
}

/** From the first page of an outline until the rest is asked for. */
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

/** Somebody else may have let the tape grow: its header tells. */
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
