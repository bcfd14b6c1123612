import { expect, test } from "vitest";

import { runPlace } from "@/features/tape-editor/run/runPlace";
import type { Slot } from "@/features/tape-editor/draft";

function slot(origin: number | null, written: Slot["written"] = null): Slot {
  return { key: `${origin}`, origin, written };
}

test("an edit in other words is told by the recorded tape alone", () => {
  const slots = [slot(0), slot(1, { kind: "assistant", content: "better" }), slot(2), slot(3)];

  expect(runPlace(slots, 4, 2)).toEqual({
    keep: 2,
    recordedAt: 2,
    keepsOthers: false,
    workFrom: 2,
  });
});

test("an inserted, removed or moved step needs the draft", () => {
  const inserted = [slot(0), slot(null, { kind: "user" }), slot(1)];
  const removed = [slot(0), slot(2)];

  expect(runPlace(inserted, 2, 2)).toEqual({
    keep: 2,
    recordedAt: null,
    keepsOthers: false,
    workFrom: 1,
  });
  expect(runPlace(removed, 3, 2).recordedAt).toBeNull();
});

test("a step that says who acts next needs the draft when it is edited", () => {
  const slots = [slot(0), slot(1, { kind: "set_next_node", next_node: "act" })];

  expect(runPlace(slots, 2, 2).recordedAt).toBeNull();
  expect(runPlace(slots, 2, 1).recordedAt).toBe(1);
});

test("at the end there is no recorded work to do again", () => {
  expect(runPlace([slot(0), slot(1)], 2, 2)).toEqual({
    keep: 2,
    recordedAt: 2,
    keepsOthers: false,
    workFrom: 2,
  });
});

test("what stays of other lanes is only known with the draft", () => {
  const slots = [slot(0), slot(1, { kind: "assistant" }), slot(2)];

  expect(runPlace(slots, 3, 2, true)).toMatchObject({ recordedAt: null, keepsOthers: true });
});
