/** Prefetches what the page of a tape shows first, in parallel, before the page is mounted. */
import { useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useRef } from "react";

import { OUTLINE_PAGE, outlinePageQuery } from "@/api/outline";
import { STEPS_PAGE, stepsPageQuery, tapeQuery } from "@/api/tapes";

/** `step` is the one that is shown first. What is cached already is not requested again. */
export function openTapeEarly(queries: QueryClient, tapeId: string, step = 0): void {
  const outlineStart = Math.floor(step / OUTLINE_PAGE) * OUTLINE_PAGE;
  const asked = [
    queries.query(tapeQuery(tapeId)),
    queries.query(stepsPageQuery(tapeId, Math.floor(step / STEPS_PAGE))),
    queries.query(outlinePageQuery(tapeId, outlineStart)),
  ];
  // A failure is reported where the data is shown.
  for (const answer of asked) answer.catch(() => undefined);
}

/** A pointer that rests on a link this long is about to click it; one that passes over is not. */
const RESTING_MS = 60;

/** For a link to a tape: prefetches when the pointer rests on it. */
export function useOpenTapeEarly(tapeId: string) {
  const queries = useQueryClient();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  return {
    onPointerEnter: () => {
      timer.current = setTimeout(() => openTapeEarly(queries, tapeId), RESTING_MS);
    },
    onPointerLeave: () => clearTimeout(timer.current),
  };
}
