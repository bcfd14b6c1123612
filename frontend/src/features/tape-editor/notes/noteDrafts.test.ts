import { expect, test } from "vitest";

import {
  NO_DRAFTS,
  type NoteDraftEvent,
  reduceNoteDrafts,
} from "@/features/tape-editor/notes/noteDrafts";

const ANCHOR = { field: "/content", start: 0, end: 2, quote: "Hi" };
const play = (...events: NoteDraftEvent[]) => events.reduce(reduceNoteDrafts, NO_DRAFTS);

test("selecting text while a note is written keeps what was typed", () => {
  const drafts = play(
    { type: "note.typed", place: "3", text: "half a thou" },
    { type: "note.started", place: "3", anchor: ANCHOR },
  );

  expect(drafts.byPlace.get("3")).toMatchObject({ anchor: ANCHOR, text: "half a thou" });
  expect(drafts.asked).toBe(1);
});

test("asking to write without a selection keeps the one that was made", () => {
  const drafts = play(
    { type: "note.started", place: "3", anchor: ANCHOR },
    { type: "note.started", place: "3", anchor: null },
  );

  expect(drafts.byPlace.get("3")).toMatchObject({ anchor: ANCHOR });
});

test("each step has a note of its own, and a finished one is gone", () => {
  const drafts = play(
    { type: "note.typed", place: "3", text: "three" },
    { type: "note.typed", place: "tape", text: "all" },
    { type: "note.finished", place: "3" },
  );

  expect(drafts.byPlace).toEqual(
    new Map([["tape", { anchor: null, text: "all", isCorrection: false }]]),
  );
});

test("a correction begins with the selected words, and leaves what was typed alone", () => {
  const begun: NoteDraftEvent = { type: "note.started", place: "3", anchor: ANCHOR };
  const meant = (isCorrection: boolean): NoteDraftEvent => ({
    type: "note.kindChosen",
    place: "3",
    isCorrection,
  });
  const textAfter = (...events: NoteDraftEvent[]) => play(begun, ...events).byPlace.get("3")?.text;

  expect(textAfter(meant(true))).toBe("Hi");
  expect(textAfter(meant(true), meant(false))).toBe("");
  expect(textAfter({ type: "note.typed", place: "3", text: "typed" }, meant(true))).toBe("typed");
});

test("what is chosen anew takes the place of what was chosen, and no correction is left", () => {
  const field = { field: "/plan", start: null, end: null, quote: "" };
  const drafts = play(
    { type: "note.started", place: "3", anchor: ANCHOR },
    { type: "note.kindChosen", place: "3", isCorrection: true },
    { type: "note.anchored", place: "3", anchor: field },
  );

  expect(drafts.byPlace.get("3")).toEqual({ anchor: field, text: "", isCorrection: false });
});
