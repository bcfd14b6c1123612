/** Asks for what the page of a tape shows first, all at once, before the page is there. */
import type { QueryClient } from "@tanstack/react-query";

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
