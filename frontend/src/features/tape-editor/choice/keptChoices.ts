/** The last choice for each tape, kept in this browser; without storage nothing is kept. */
import * as v from "valibot";

import { readChoice, type RunChoice, toRemember } from "@/features/tape-editor/choice/runChoice";

const KEY = "studio.run-choices";
const MOST_TAPES = 40;

const kept = v.array(v.tuple([v.string(), v.unknown()]));

/** The choice for a tape; as in the beginning where none was made. */
export function loadChoice(tapeId: string): RunChoice {
  const all = readAll();
  return readChoice(all.find(([id]) => id === tapeId)?.[1]);
}

export function keepChoice(tapeId: string, choice: RunChoice): void {
  const others = readAll().filter(([id]) => id !== tapeId);
  const all = [[tapeId, toRemember(choice)], ...others].slice(0, MOST_TAPES);
  try {
    window.localStorage.setItem(KEY, JSON.stringify(all));
  } catch {
    // Storage is full or forbidden: the choice counts for this visit.
  }
}

function readAll(): [string, unknown][] {
  try {
    const read = v.safeParse(kept, JSON.parse(window.localStorage.getItem(KEY) ?? "[]"));
    return read.success ? read.output : [];
  } catch {
    return [];
  }
}

const ESTIMATES = "studio.run-estimates";
const estimates = v.array(v.tuple([v.string(), v.string()]));

/** What was expected of a run, in words, to stand beside what it took. */
export function keepEstimate(jobId: string, words: string): void {
  if (words === "") return;
  const all = [[jobId, words], ...readEstimates()].slice(0, MOST_TAPES);
  try {
    window.localStorage.setItem(ESTIMATES, JSON.stringify(all));
  } catch {
    // As above: without storage the outcome stands alone.
  }
}

export function loadEstimate(jobId: string): string {
  return readEstimates().find(([id]) => id === jobId)?.[1] ?? "";
}

function readEstimates(): [string, string][] {
  try {
    const text = window.localStorage.getItem(ESTIMATES) ?? "[]";
    const read = v.safeParse(estimates, JSON.parse(text));
    return read.success ? read.output : [];
  } catch {
    return [];
  }
}
