/** The stops of the tour: what to do at each, and how to see that it is done.
 *
 * Everything here is a function of what the page shows; `useSeen` gathers it.
 */
import { cutText, visibleText } from "@/lib/visibleText";
import type { TourPlace } from "@/lib/tour";

/** The attempt of the sample that failed by one step (`deploy/sample_story.py`). */
export const FAILED_QUERY = 'outcome:fail batch:"Two versions A1" title:"A truck brings 21 sacks"';

/** What the tour sees of the page. */
export interface Seen {
  isSample: boolean;
  pathname: string;
  search: string;
  /** The failed tape of the tour: `undefined` until it is known, `null` if it is gone. */
  failed: { id: string; badStep: number | null } | null | undefined;
  /** What the bad step says, and what the passing runs say there. */
  correction: Correction | null;
  /** The tape that is open, alone. */
  open: { id: string; parentId: string | null; isRunning: boolean; outcome: string } | null;
  /** The branch that passed: the one on the screen, otherwise the newest. */
  fixedId: string | null;
  /** The draft changes the bad step. */
  isEdited: boolean;
  isFormOpen: boolean;
  /** A regression test was made of the branch. */
  isKept: boolean;
}

export interface Correction {
  was: string;
  wanted: string;
}

export interface TourStop {
  title: string;
  text: (seen: Seen) => string;
  /** `data-tour` of the elements that the stop may be about: the first that is there. */
  anchors: readonly string[];
  /** The keys that do it, written as in `lib/keys`. */
  keys?: readonly string[];
  /** Where it is done; `null` while that is not known. */
  address: (seen: Seen) => string | null;
  isDone: (seen: Seen) => boolean;
  /** The tour itself goes to the address, once. */
  leads?: true;
  /** What is done before the reader comes here, such as on an earlier tour, is no answer to it. */
  waits?: true;
}

export const TOUR_STOPS: readonly TourStop[] = [
  {
    title: "From a failure to a test, by your own hand",
    text: () =>
      "The sample project holds finished work of a small agent that needs no key and no network. You may change anything in it.",
    anchors: ["project"],
    address: () => null,
    isDone: ({ isSample }) => isSample,
  },
  {
    title: "Open the failed tape",
    text: ({ failed }) =>
      failed === null
        ? "The failed tape of this tour is no longer in the sample project. If it was archived, restore it from the list of archived tapes."
        : "A tape is everything an agent did. This one ended with a wrong answer: open it by its title.",
    anchors: ["tapes"],
    keys: ["j", "Enter"],
    address: () => `/tapes?${new URLSearchParams({ q: FAILED_QUERY }).toString()}`,
    isDone: ({ open, failed }) => isFailed(open?.id, failed),
    leads: true,
  },
  {
    title: "Find the bad step",
    text: () =>
      "The header shows the expected answer beside this one, and names the step at which this tape diverges from the passing runs. Go to that step.",
    anchors: ["suspect", "map"],
    keys: ["b"],
    address: ({ failed }) => addressOf(failed?.id),
    isDone: (seen) =>
      isPastFailed(seen) || (isFailed(seen.open?.id, seen.failed) && isAtBadStep(seen)),
  },
  {
    title: "Fix it",
    text: ({ correction, isEdited, isFormOpen }) =>
      isEdited && !isFormOpen
        ? "Your draft has a fix of this tape already. Open the step and look at it, then leave the form."
        : `Edit the step: ${describeCorrection(correction)} Then leave the form. Later steps turn gray: they were recorded under the old step. Nothing runs yet, and the recording stays.`,
    anchors: ["step-form", "tape"],
    keys: ["e", "Escape"],
    address: ({ failed }) => addressOf(failed?.id, failed?.badStep),
    isDone: (seen) => isPastFailed(seen) || (seen.isEdited && !seen.isFormOpen),
    waits: true,
  },
  {
    title: "Run it",
    text: describeRun,
    anchors: ["run"],
    keys: ["mod+Enter"],
    address: (seen) =>
      isChildOfFailed(seen) && seen.open?.outcome !== "fail"
        ? addressOf(seen.open?.id)
        : addressOf(seen.failed?.id),
    isDone: (seen) =>
      isChildOfFailed(seen) && seen.open?.isRunning === false && seen.open.outcome === "pass",
  },
  {
    title: "Compare",
    text: () =>
      "The answer is the expected one now. See what else changed: open the diff with the tape that this one is forked from.",
    anchors: ["fork"],
    keys: ["d"],
    address: ({ fixedId }) => addressOf(fixedId),
    isDone: ({ pathname, search }) => DIFF.test(pathname) || new URLSearchParams(search).has("cmp"),
  },
  {
    title: "Keep it as a test",
    text: ({ pathname, search }) => {
      if (DIFF.test(pathname))
        return "The failure is on the left, your fix on the right: your step, and what followed from it. Go back to the fixed tape to keep it as a test.";
      return new URLSearchParams(search).has("test")
        ? "What is frozen and what must come out of it are filled in. Make the test."
        : "Choose Regression test in the menu of the tape. Every later version of the agent can then be checked with it.";
    },
    anchors: ["test-form", "header"],
    keys: ["X"],
    address: ({ fixedId }) => addressOf(fixedId),
    isDone: ({ isKept }) => isKept,
  },
  {
    title: "That is the whole loop",
    text: () =>
      "The suite with your test is under Evaluation. With an API key or a server of your own, add a model and do the same with your tapes.",
    anchors: ["rail"],
    address: () => null,
    isDone: () => false,
  },
];

const AT_START: TourPlace = { stop: 0, isHeld: false };
export const LAST_STOP = TOUR_STOPS.length - 1;

const DIFF = /^\/t\/[^/]+\/diff\/[^/]+$/;

/** Where the tour goes on: past every stop that is done, unless the person went back to it.
 *
 * In another project it waits at its beginning for the sample.
 */
export function settle(place: TourPlace, seen: Seen): TourPlace {
  if (!seen.isSample && place.stop < LAST_STOP) return AT_START;
  let { stop } = place;
  const isDone = () => TOUR_STOPS[stop]?.isDone(seen) === true;
  if (place.isHeld && isDone()) return place;
  while (isDone()) {
    const isNew = stop > place.stop && !isPastFailed(seen);
    if (isNew && TOUR_STOPS[stop]?.waits === true) return { stop, isHeld: true };
    stop += 1;
  }
  return stop === place.stop && !place.isHeld ? place : { stop, isHeld: false };
}

/** Whether the page is at an address: the page may have more parameters. */
export function isAt(address: string, { pathname, search }: Pick<Seen, "pathname" | "search">) {
  const [path, query] = address.split("?");
  const params = new URLSearchParams(search);
  const wanted = [...new URLSearchParams(query)];
  return path === pathname && wanted.every(([name, value]) => params.get(name) === value);
}

/** "You found, fixed and kept it in 11 actions." */
export function describeCount(count: number): string {
  return `You found, fixed and kept it in ${count === 1 ? "1 action" : `${count} actions`}.`;
}

/** The first text that two steps of one kind have different. */
export function findCorrection(
  bad: Readonly<Record<string, unknown>>,
  good: Readonly<Record<string, unknown>>,
): Correction | null {
  if (bad.kind !== good.kind) return null;
  for (const [field, was] of Object.entries(bad)) {
    const wanted = good[field];
    if (typeof was === "string" && typeof wanted === "string" && was !== wanted)
      return { was, wanted };
  }
  return null;
}

const LONGEST = 60;

function describeCorrection(correction: Correction | null): string {
  if (correction === null) return "write what the passing runs say there.";
  const [was, wanted] = [correction.was, correction.wanted].map((text) =>
    visibleText(cutText(text, LONGEST)),
  );
  return `the passing runs say “${wanted}” there instead of “${was}”.`;
}

function describeRun(seen: Seen): string {
  if (isChildOfFailed(seen)) {
    if (seen.open?.isRunning === true) return "The agent goes on in a new branch.";
    if (seen.open?.outcome === "fail")
      return "This branch failed too. Go back to the failed tape, and change the step again.";
  }
  return "Resume: the agent goes on after your step, in a new branch. What it did before is kept, and not asked again.";
}

function isFailed(id: string | undefined, failed: Seen["failed"]): boolean {
  return id !== undefined && id === failed?.id;
}

function isChildOfFailed({ open, failed }: Seen): boolean {
  return open !== null && open.parentId !== null && open.parentId === failed?.id;
}

/** The person ran the fix at once: Resume also works in the form. */
function isPastFailed(seen: Seen): boolean {
  return seen.isEdited && isChildOfFailed(seen);
}

function isAtBadStep({ search, failed }: Seen): boolean {
  const badStep = failed?.badStep ?? null;
  return badStep !== null && new URLSearchParams(search).get("step") === String(badStep);
}

function addressOf(tapeId: string | null | undefined, step?: number | null): string | null {
  if (tapeId === null || tapeId === undefined) return null;
  return step === null || step === undefined ? `/t/${tapeId}` : `/t/${tapeId}?step=${step}`;
}
