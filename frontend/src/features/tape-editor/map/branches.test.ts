import { expect, test } from "vitest";

import type { FamilyMember } from "@/api/types";
import {
  listForks,
  listLines,
  type MapLine,
  neighbourOf,
} from "@/features/tape-editor/map/branches";
import { buildMember } from "@/features/tape-editor/testing/builders";

const family = [
  buildMember("root"),
  buildMember("a", { parent_id: "root", forked_at: 4 }),
  buildMember("b", { parent_id: "root", forked_at: 6 }),
  buildMember("aa", { parent_id: "a", forked_at: 5 }),
];

function lines(members: readonly FamilyMember[], openId = "root", ...unfolded: string[]) {
  return listLines(members, { openId, unfolded: new Set(unfolded) });
}

function names(found: readonly MapLine[]) {
  return found.map((line) =>
    line.type === "branch" ? line.member.id : `${line.count} ${line.type} at ${line.start}`,
  );
}

test("later forks come first, and a branch stands below its parent", () => {
  const found = lines(family);

  expect(names(found)).toEqual(["root", "b", "a", "aa"]);
  expect(found.map(({ depth, start }) => [depth, start])).toEqual([
    [0, 0],
    [1, 6],
    [1, 4],
    [2, 5],
  ]);
});

test("the fork of a branch further below runs through the lines between", () => {
  expect(lines(family).map(({ rails }) => rails)).toEqual([[], [4], [], []]);
});

test("the way to the open tape goes along its ancestors up to each fork", () => {
  const ends = lines(family, "aa").map((line) => line.type === "branch" && line.pathEnd);

  expect(ends).toEqual([4, null, 5, 10]);
});

test("a branch leaves the line that holds its last shared step, whosever child it is", () => {
  const copied = [
    buildMember("root"),
    buildMember("copy", { parent_id: "root", forked_at: 10 }),
    buildMember("edit", { parent_id: "copy", forked_at: 4 }),
  ];

  const found = lines(copied, "edit");

  expect(found.map(({ key, depth }) => [key, depth])).toEqual([
    ["root", 0],
    ["copy", 1],
    ["edit", 1],
  ]);
  expect(found[0]).toMatchObject({ pathEnd: 4, forks: [10, 4] });
});

test("older branches fold, but never the open, a pinned, a running one or their ancestors", () => {
  const children = Array.from({ length: 8 }, (_, at) =>
    buildMember(`c${at}`, { parent_id: "root", forked_at: 3, created_at: `2026-02-0${at + 1}` }),
  );
  const many = [
    buildMember("root"),
    ...children,
    buildMember("pin", { parent_id: "c0", forked_at: 5, is_pinned: true }),
  ];

  expect(names(lines(many, "c1"))).toEqual([
    ...["root", "c0", "pin", "c1", "c4", "c5", "c6", "c7"],
    "2 folded at 3",
  ]);
  expect(names(lines(many, "c1", "folded-root"))).toHaveLength(11);
});

test("an archived branch folds at once, with all that left it", () => {
  const put = [
    buildMember("root"),
    buildMember("old", { parent_id: "root", forked_at: 2, is_archived: true }),
    buildMember("its", { parent_id: "old", forked_at: 3 }),
  ];

  expect(names(lines(put))).toEqual(["root", "2 folded at 2"]);
  expect(names(lines(put, "its"))).toEqual(["root", "old", "its"]);
});

test("one moves through the family in the order of the map", () => {
  const found = lines(family);

  expect(neighbourOf(found, "a", 1)).toBe("aa");
  expect(neighbourOf(found, "root", -1)).toBeNull();
});

test("a parent that is not in the family does not hide its child", () => {
  expect(lines([buildMember("x", { parent_id: "gone", forked_at: 3 })])).toHaveLength(1);
});

test("at a fork stand the original and every edit of that step, edits of edits too", () => {
  const edits = [
    buildMember("root"),
    buildMember("one", { parent_id: "root", forked_at: 4 }),
    buildMember("two", { parent_id: "one", forked_at: 4 }),
    buildMember("late", { parent_id: "one", forked_at: 8 }),
  ];

  const fork = listForks(edits, "late").get(4);

  expect(fork?.tapes.map(({ id }) => id)).toEqual(["root", "one", "two"]);
  expect(fork?.current).toBe(1);
  expect(listForks(edits, "root").get(8)).toBeUndefined();
});

test("a tape that ends at the fork has nothing to offer there", () => {
  const asked = [
    buildMember("root", { step_count: 2 }),
    buildMember("one", { parent_id: "root", forked_at: 2 }),
    buildMember("two", { parent_id: "root", forked_at: 2 }),
  ];

  expect(
    listForks(asked, "two")
      .get(2)
      ?.tapes.map(({ id }) => id),
  ).toEqual(["one", "two"]);
  expect(listForks(asked, "root").get(2)).toBeUndefined();
});

const of = (number: number, arm: string, passed: boolean | null) => ({
  experiment_id: "x",
  number,
  arm,
  words: "",
  passed,
});

/** A tape, a fix of it, and an experiment: two branches of the tape and two of the fix. */
const tried = [
  buildMember("root"),
  buildMember("fork", { parent_id: "root", forked_at: 2 }),
  buildMember("revision", { parent_id: "root", forked_at: 4 }),
  buildMember("base0", { parent_id: "root", forked_at: 4, branch: of(0, "original", false) }),
  buildMember("base1", { parent_id: "root", forked_at: 4, branch: of(1, "original", null) }),
  buildMember("fix2", { parent_id: "revision", forked_at: 5, branch: of(2, "B", true) }),
  buildMember("fix3", {
    ...{ parent_id: "revision", forked_at: 5, branch: of(3, "B", true), is_active: true },
  }),
];

test("an experiment is one line that counts its branches and opens", () => {
  const closed = lines(tried);
  const opened = lines(tried, "root", "experiment-x");

  expect(names(closed)).toEqual(["root", "fork", "4 experiment at 4"]);
  expect(closed.at(-1)).toMatchObject({ passed: 2, judged: 3, isOpen: false });
  expect(names(opened)).toEqual([
    ...["root", "fork", "4 experiment at 4", "base0", "base1", "revision", "fix2", "fix3"],
  ]);
});

test("what is pinned of an experiment stays in view, with the edit that it leaves from", () => {
  const pinned = tried.map((one) => (one.id === "fix2" ? { ...one, is_pinned: true } : one));

  expect(names(lines(pinned))).toEqual([
    ...["root", "revision", "fix2", "1 experiment at 5", "fork", "2 experiment at 4"],
  ]);
});

test("what failed folds before what may still lead somewhere", () => {
  const many = [
    buildMember("root"),
    ...["c1", "c22", "c333", "c4444", "c55555"].map((id, at) =>
      buildMember(id, { parent_id: "root", forked_at: 3, outcome: at === 4 ? "fail" : "" }),
    ),
  ];

  expect(names(lines(many))).toEqual(["root", "c1", "c22", "c333", "c4444", "1 folded at 3"]);
});
