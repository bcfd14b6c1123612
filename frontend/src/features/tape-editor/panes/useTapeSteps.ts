/** Bodies of steps, fetched in pages around what is in view. */
import { useDebouncedValue } from "@mantine/hooks";
import { useQueries, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";

import { STEPS_PAGE as PAGE, stepsPageQuery } from "@/api/tapes";
import type { StepData } from "@/api/types";
import { useEditor } from "@/features/tape-editor/editor";

/** How many steps before and after those in view are fetched with them. */
const AHEAD = 20;
/** Wait this long before fetching, so that fast scrolling does not fetch what it passes. */
const SETTLED_MS = 80;

interface Wanted {
  tapeId: string;
  /** How many steps the server has reported; later ones arrive over the socket. */
  recordedCount: number;
  first: number;
  last: number;
}

export interface TapeSteps {
  find: (position: number) => StepData | undefined;
  /** Some of the steps in view have arrived. */
  hasAny: boolean;
  /** Why steps in view could not be loaded. */
  error: Error | null;
  retry: () => void;
}

export function useTapeSteps({ tapeId, recordedCount, first, last }: Wanted): TapeSteps {
  const streamed = useEditor(({ live }) => live.steps);
  const inSight = listPages(first - AHEAD, last + AHEAD, recordedCount).join(" ");
  const [settled] = useDebouncedValue(inSight, SETTLED_MS, { leading: true });
  const numbers = settled === "" ? [] : settled.split(" ").map(Number);
  const pages = useQueries({
    queries: numbers.map((page) => stepsPageQuery(tapeId, page)),
    combine,
  });
  useCatchUp(tapeId, recordedCount, pages.short);
  return useMemo(
    () => ({
      ...pages,
      hasAny: pages.steps.size > 0,
      find: (position) => pages.steps.get(position) ?? streamed.get(position),
    }),
    [pages, streamed],
  );
}

function listPages(first: number, last: number, count: number): number[] {
  const pages: number[] = [];
  const end = Math.floor(Math.min(last, count - 1) / PAGE);
  for (let page = Math.floor(Math.max(0, first) / PAGE); page <= end; page += 1) pages.push(page);
  return pages;
}

interface PageResult {
  data: { items: StepData[] } | undefined;
  error: Error | null;
  refetch: () => unknown;
}

function combine(results: readonly PageResult[]) {
  const steps = new Map<number, StepData>();
  let short: number | null = null;
  for (const { data } of results) {
    if (data === undefined) continue;
    for (const step of data.items) steps.set(step.position, step);
    if (data.items.length < PAGE) short = data.items.at(-1)?.position ?? short;
  }
  return {
    steps,
    /** The last step of a page that is not full. */
    short,
    error: results.find(({ error }) => error !== null)?.error ?? null,
    retry: () => {
      for (const result of results) if (result.error !== null) result.refetch();
    },
  };
}

/** If a page ends before the tape does, the tape has grown since the page was loaded. */
function useCatchUp(tapeId: string, recordedCount: number, short: number | null): void {
  const queries = useQueryClient();
  const behind = short !== null && short < recordedCount - 1 ? Math.floor(short / PAGE) : null;
  useEffect(() => {
    if (behind === null) return;
    void queries.invalidateQueries({ queryKey: stepsPageQuery(tapeId, behind).queryKey });
  }, [queries, tapeId, behind, recordedCount]);
}
