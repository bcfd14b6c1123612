import { expect, test } from "vitest";

import {
  findMark,
  moveColumn,
  nextSort,
  readColumns,
  readMarks,
  resizeColumns,
  toggleColumn,
  togglePin,
  writeColumns,
  writeMarks,
  type Mark,
} from "@/features/tapes/table/look";

const KNOWN = new Set(["title", "cost", "errors", "task"]);
const mark = (part: Partial<Mark> = {}): Mark => ({
  column: "cost",
  comparison: ">",
  value: "0.05",
  tone: "bad",
  ...part,
});

test("columns are written into the address and read again", () => {
  const text = "title:320!,cost,errors:64";

  expect(writeColumns(readColumns(text, KNOWN))).toBe(text);
});

test("a column that is not known, doubled or badly written is left out", () => {
  expect(readColumns("title,secret,cost:9999999,title:90,<b>,cost", KNOWN)).toEqual([
    { id: "title", width: null, isPinned: false },
    { id: "cost", width: null, isPinned: false },
  ]);
});

test("widths stay within what can be read and grasped", () => {
  expect(readColumns("title:1,cost:9000", KNOWN).map(({ width }) => width)).toEqual([56, 1200]);
});

test("marks are written into the address and read again, whatever they hold", () => {
  const marks = [mark(), mark({ column: "task", comparison: "=", value: "a;b~bad,>%" })];

  expect(readMarks(writeMarks(marks), KNOWN)).toEqual(marks);
});

test("what is no mark is left out", () => {
  expect(readMarks("cost>1~pink;secret>1~bad;cost;cost>%E0~bad", KNOWN)).toEqual([
    mark({ value: "%E0" }),
  ]);
});

test("the first mark that holds is shown; an unknown value meets none", () => {
  const marks = [mark({ value: "1" }), mark({ tone: "warn" })];

  expect(findMark(marks, "cost", 0.5)?.tone).toBe("warn");
  expect(findMark(marks, "cost", 2)?.tone).toBe("bad");
  expect(findMark(marks, "cost", 0.05)).toBeUndefined();
  expect(findMark(marks, "cost", null)).toBeUndefined();
  expect(findMark(marks, "errors", 9)).toBeUndefined();
  expect(findMark([mark({ value: "" }), mark({ value: "dear" })], "cost", 1)).toBeUndefined();
  expect(
    findMark([mark({ column: "task", comparison: "=", value: "T1" })], "task", "t1"),
  ).toBeDefined();
});

test("a header leads to its first direction, the other, and back to newest first", () => {
  expect(nextSort("", "cost", true)).toBe("-cost");
  expect(nextSort("-cost", "cost", true)).toBe("cost");
  expect(nextSort("cost", "cost", true)).toBe("");
  expect(nextSort("-cost", "title", false)).toBe("title");
});

test("columns are chosen, moved, pinned and resized, and one always stays", () => {
  const columns = readColumns("title,cost,errors", KNOWN);

  expect(writeColumns(toggleColumn(columns, "cost"))).toBe("title,errors");
  expect(writeColumns(toggleColumn(columns, "task"))).toBe("title,cost,errors,task");
  expect(writeColumns(toggleColumn(readColumns("title", KNOWN), "title"))).toBe("title");
  expect(writeColumns(moveColumn(columns, "errors", -1))).toBe("title,errors,cost");
  expect(moveColumn(columns, "title", -1)).toBe(columns);
  expect(writeColumns(togglePin(columns, "errors"))).toBe("errors!,title,cost");
  expect(writeColumns(moveColumn(togglePin(columns, "errors"), "errors", 1))).toBe(
    "errors!,title,cost",
  );
  expect(writeColumns(resizeColumns(columns, { cost: 10, title: 300.4 }))).toBe(
    "title:300,cost:56,errors",
  );
});
