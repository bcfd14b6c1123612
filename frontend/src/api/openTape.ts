/** Asks for what the page of a tape shows first, all at once, before the page is there. */
import { useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useRef } from "react";

import { OUTLINE_PAGE, outlinePageQuery } from "@/api/outline";
import { STEPS_PAGE, stepsPageQuery, tapeQuery } from "@/api/tapes";

/** `step` is the one that is looked at first. What is known already is not asked for again. */
export function openTapeEarly(queries: QueryClient, tapeId: string, step = 0): void {
  const outlineStart = Math.floor(step / OUTLINE_PAGE) * OUTLINE_PAGE;
  const asked = [
    queries.query(tapeQuery(tapeId)),
    queries.query(stepsPageQuery(tapeId, Math.floor(step / STEPS_PAGE))),
    queries.query(outlinePageQuery(tapeId, outlineStart)),
  ];
  // A failure is told where the answer is shown.
  for (const answer of asked) answer.catch(() => undefined);
}

/** A hand that rests on a link so long is about to press it; one that passes by is not. */
const RESTING_MS = 60;

/** For a link to a tape: asks early when the hand rests on it. */
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
