import { expect, test } from "vitest";

import { type Draft, EMPTY_DRAFT } from "@/features/tape-editor/draft/draft";
import {
  type FixEvent,
  type Fixes,
  freeLetter,
  listFixes,
  neighbourFix,
  reduceFixes,
} from "@/features/tape-editor/draft/fixes";

const CUT = { op: "cut", position: 3 } as const;

function draft(fix: Draft["fix"], part: Partial<Draft> = {}): Draft {
  return { ...EMPTY_DRAFT, fix, operations: [CUT], appliedCount: 1, version: 1, ...part };
}

const play = (fixes: Fixes, ...events: FixEvent[]) => events.reduce(reduceFixes, fixes);
const letters = (fixes: Fixes) => listFixes(fixes).map(({ fix }) => fix);

test("who opens another fix finds the first one as it was left, saved or not", () => {
  const unsaved = draft("A", { save: "unsaved" });

  const there = play({ draft: unsaved, parked: {} }, { type: "fix.opened", fix: "C" });
  const back = play(there, { type: "fix.opened", fix: "A" });

  expect(there.draft).toMatchObject({ fix: "C", operations: [], version: 0 });
  expect(back.draft).toEqual(unsaved);
  expect(letters(back)).toEqual(["A"]); // one that never held anything leaves nothing
});

test("a copy begins as a draft of its own that is not saved yet", () => {
  const begun = play(
    { draft: draft("A"), parked: { B: draft("B") } },
    { type: "fix.started", fix: "C", operations: [CUT], stepCount: 9 },
  );

  expect(begun.draft).toMatchObject({ fix: "C", version: 0, save: "unsaved", baseStepCount: 9 });
  expect(letters(begun)).toEqual(["A", "B", "C"]);
});

test("what the server tells never takes the place of what is open, unsaved or newer here", () => {
  const parked = {
    B: draft("B", { save: "unsaved" }),
    C: draft("C", { version: 5 }),
    D: draft("D"),
  };
  const letters = ["A", "B", "C", "E"] as const;
  const news = letters.map((fix) => draft(fix, { version: 4, name: "theirs" }));

  const told = play({ draft: draft("A"), parked }, { type: "fixes.loaded", drafts: news });

  expect(listFixes(told).map(({ fix, name }) => `${fix}${name}`)).toEqual([
    "A",
    "B",
    "C",
    "Etheirs",
  ]);
});

test("a fix that is removed gives way to another, and comes back as a new one", () => {
  const first = { draft: draft("B"), parked: { A: draft("A"), C: draft("C") } };

  const removed = play(first, { type: "fix.removed", fix: "B" });
  const restored = play(removed, { type: "fix.restored", draft: first.draft });

  expect([removed.draft.fix, ...letters(removed)]).toEqual(["A", "A", "C"]);
  expect(restored.draft).toMatchObject({ fix: "B", version: 0, save: "unsaved" });
  expect(letters(restored)).toEqual(["A", "B", "C"]);
});

test("fixes are gone through in a circle, and there are eight", () => {
  const three = { draft: draft("C"), parked: { A: draft("A"), B: draft("B") } };
  const others = ["A", "B", "D", "E", "F", "G", "H"] as const;
  const full = Object.fromEntries(others.map((fix) => [fix, draft(fix)]));

  expect([neighbourFix(three, 1), neighbourFix(three, -1)]).toEqual(["A", "B"]);
  expect(freeLetter(three)).toBe("D");
  expect(freeLetter({ draft: draft("C"), parked: full })).toBeNull();
});
