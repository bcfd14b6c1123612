import { expect, test } from "vitest";

import {
  describeCount,
  findCorrection,
  isAt,
  LAST_STOP,
  settle,
  TOUR_STOPS,
  type Seen,
} from "@/app/tour/tourStops";

const NOTHING: Seen = {
  isSample: false,
  pathname: "/tapes",
  search: "",
  failed: undefined,
  correction: null,
  open: null,
  fixedId: null,
  isEdited: false,
  isFormOpen: false,
  isKept: false,
};
const FAILED = { id: "bad", badStep: 9 };
const IN_SAMPLE: Seen = { ...NOTHING, isSample: true, failed: FAILED };
const AT_FAILED: Seen = {
  ...IN_SAMPLE,
  pathname: "/t/bad",
  open: { id: "bad", parentId: null, isRunning: false, outcome: "fail" },
};
const AT_STEP: Seen = { ...AT_FAILED, search: "?step=9" };
const EDITED: Seen = { ...AT_STEP, isEdited: true };

function atChild(outcome: string, isRunning = false): Seen {
  const open = { id: "good", parentId: "bad", isRunning, outcome };
  return { ...IN_SAMPLE, pathname: "/t/good", isEdited: true, open };
}

const PASSED: Seen = { ...atChild("pass"), fixedId: "good" };
const COMPARED: Seen = { ...PASSED, pathname: "/t/bad/diff/good", open: null };

function stopAfter(stop: number, seen: Seen): string | undefined {
  return TOUR_STOPS[settle({ stop, isHeld: false }, seen).stop]?.title;
}

test("each stop waits until the reader has done it", () => {
  expect(stopAfter(0, NOTHING)).toMatch(/^From a failure/);
  expect(stopAfter(0, IN_SAMPLE)).toBe("Open the failed tape");
  expect(stopAfter(1, AT_FAILED)).toBe("Find the bad step");
  expect(stopAfter(2, { ...AT_FAILED, search: "?step=8" })).toBe("Find the bad step");
  expect(stopAfter(2, AT_STEP)).toBe("Fix it");
  expect(stopAfter(3, { ...EDITED, isFormOpen: true })).toBe("Fix it");
  expect(stopAfter(3, EDITED)).toBe("Run it");
  expect(stopAfter(4, atChild("", true))).toBe("Run it");
  expect(stopAfter(4, atChild("fail"))).toBe("Run it");
  expect(stopAfter(4, PASSED)).toBe("Compare");
  expect(stopAfter(5, COMPARED)).toBe("Keep it as a test");
  expect(stopAfter(6, PASSED)).toBe("Keep it as a test");
  expect(stopAfter(6, { ...PASSED, isKept: true })).toBe("That is the whole loop");
});

test("a reader who does several things at once passes several stops", () => {
  expect(stopAfter(1, AT_STEP)).toBe("Fix it");
  expect(stopAfter(3, { ...PASSED, isFormOpen: true })).toBe("Compare");
});

test("a fix from an earlier tour is looked at, not passed unseen", () => {
  const reached = settle({ stop: 2, isHeld: false }, EDITED);

  expect(TOUR_STOPS[reached.stop]?.title).toBe("Fix it");
  expect(TOUR_STOPS[reached.stop]?.text(EDITED)).toContain("Your draft has a fix");
  expect(settle(reached, EDITED)).toBe(reached);
  const looking = settle(reached, { ...EDITED, isFormOpen: true });
  expect(looking.stop).toBe(reached.stop);
  expect(TOUR_STOPS[settle(looking, EDITED).stop]?.title).toBe("Run it");
});

test("in another project the tour waits for the sample, unless it is over", () => {
  expect(stopAfter(4, { ...EDITED, isSample: false })).toMatch(/^From a failure/);
  expect(stopAfter(LAST_STOP, NOTHING)).toBe("That is the whole loop");
});

test("a stop that the reader went back to stays until it is done again", () => {
  const back = { stop: 3, isHeld: true };

  expect(settle(back, EDITED)).toBe(back);
  const undone = settle(back, AT_STEP);
  expect(undone).toEqual({ stop: 3, isHeld: false });
  expect(settle(undone, AT_STEP)).toBe(undone);
  expect(settle(undone, EDITED).stop).toBe(4);
});

test("what a stop says depends on what is there", () => {
  const words = (stop: number, seen: Seen) => TOUR_STOPS[stop]?.text(seen);

  expect(words(1, { ...IN_SAMPLE, failed: null })).toMatch(/no longer in the sample project/);
  expect(words(3, AT_STEP)).toMatch(/write what the passing runs say there/);
  const correction = { was: "21 - 9", wanted: "21 * 9" };
  expect(words(3, { ...AT_STEP, correction })).toMatch(/say “21 \* 9” there instead of “21 - 9”/);
  expect(words(4, atChild("fail"))).toMatch(/failed too/);
  expect(TOUR_STOPS[4]?.address(atChild("fail"))).toBe("/t/bad");
  expect(words(6, COMPARED)).toMatch(/Go back to the fixed tape/);
  expect(words(6, PASSED)).toMatch(/menu of the tape/);
  expect(words(6, { ...PASSED, search: "?test=new" })).toMatch(/Make the test/);
  expect(TOUR_STOPS[6]?.address(COMPARED)).toBe("/t/good");
  expect(settle({ stop: LAST_STOP, isHeld: false }, PASSED).stop).toBe(LAST_STOP);
});

test("an address may have more parameters than are asked for", () => {
  const page = { pathname: "/t/bad", search: "?step=9&view=prompt" };

  expect(isAt("/t/bad", page)).toBe(true);
  expect(isAt("/t/bad?step=9", page)).toBe(true);
  expect(isAt("/t/bad?step=8", page)).toBe(false);
  expect(isAt("/tapes", page)).toBe(false);
});

test("a correction is the first text that two steps of one kind have different", () => {
  const bad = { kind: "calculation", metadata: { id: "1" }, expression: "21 - 9" };

  expect(findCorrection(bad, { ...bad, metadata: { id: "2" }, expression: "21 * 9" })).toEqual({
    was: "21 - 9",
    wanted: "21 * 9",
  });
  expect(findCorrection(bad, bad)).toBeNull();
  expect(findCorrection(bad, { ...bad, kind: "thought", expression: "21 * 9" })).toBeNull();
});

test("the count ends in a sentence", () => {
  expect(describeCount(11)).toBe("You found, fixed and kept it in 11 actions.");
  expect(describeCount(1)).toBe("You found, fixed and kept it in 1 action.");
});
