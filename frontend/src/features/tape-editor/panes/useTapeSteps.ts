/** Bodies of steps, fetched in pages around the cards that are drawn. */
import { useDebouncedValue } from "@mantine/hooks";
import { useQueries, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";

import { STEPS_PAGE as PAGE, stepsPageQuery } from "@/api/tapes";
import type { StepData } from "@/api/types";
import { useEditor } from "@/features/tape-editor/editor";

/** How many steps before and after each card are fetched with it. */
const AHEAD = 20;
/** Wait this long before fetching, so that fast scrolling does not fetch what it passes. */
const SETTLED_MS = 80;

interface Wanted {
  tapeId: string;
  /** How many steps the server has reported; later ones arrive over the socket. */
  recordedCount: number;
  /** Where the steps of the cards were recorded. A chosen card may be far from those in view. */
  positions: readonly number[];
}

export interface TapeSteps {
  find: (position: number) => StepData | undefined;
  /** Some of the steps in view have arrived. */
  hasAny: boolean;
  /** Why steps in view could not be loaded. */
  error: Error | null;
  retry: () => void;
}

export function useTapeSteps({ tapeId, recordedCount, positions }: Wanted): TapeSteps {
  const streamed = useEditor(({ live }) => live.steps);
  const wanted = listPages(positions, recordedCount).join(" ");
  const [settled] = useDebouncedValue(wanted, SETTLED_MS, { leading: true });
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

function listPages(positions: readonly number[], count: number): number[] {
  const pages = new Set<number>();
  // Before there are cards, the beginning is fetched.
  for (const position of positions.length === 0 ? [0] : positions) {
    const end = Math.floor(Math.min(position + AHEAD, count - 1) / PAGE);
    const start = Math.floor(Math.max(0, position - AHEAD) / PAGE);
    for (let page = start; page <= end; page += 1) pages.add(page);
  }
  return [...pages].sort((one, other) => one - other);
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
