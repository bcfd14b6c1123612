/** The last choice for each tape, kept in this browser; without storage nothing is kept. */
import * as v from "valibot";

import { readChoice, type RunChoice, toRemember } from "@/features/tape-editor/choice/runChoice";
import { keptList } from "@/lib/keptList";

const MOST_TAPES = 40;

const choices = keptList("studio.run-choices", v.tuple([v.string(), v.unknown()]), MOST_TAPES);

/** The choice for a tape; `null` if none was made here. */
export function loadChoice(tapeId: string): RunChoice | null {
  const kept = choices.read().find(([id]) => id === tapeId)?.[1];
  return kept === undefined ? null : readChoice(kept);
}

export function keepChoice(tapeId: string, choice: RunChoice): void {
  choices.put([tapeId, toRemember(choice)], ([id]) => id === tapeId);
}

const estimates = keptList("studio.run-estimates", v.tuple([v.string(), v.string()]), MOST_TAPES);

/** Keeps the estimate of a run as text, to show it next to what the run took. */
export function keepEstimate(jobId: string, words: string): void {
  if (words !== "") estimates.put([jobId, words], ([id]) => id === jobId);
}

export function loadEstimate(jobId: string): string {
  return estimates.read().find(([id]) => id === jobId)?.[1] ?? "";
}
