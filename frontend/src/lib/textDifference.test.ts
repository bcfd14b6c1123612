import { expect, test } from "vitest";

import { clipEnd, clipStart, differenceOf } from "@/lib/textDifference";

test.each([
  ["391", "390", { start: "", one: "391", other: "390", end: "" }],
  [
    "It is $36.00 now",
    "It is $39.00 now",
    { start: "It is ", one: "$36.00", other: "$39.00", end: " now" },
  ],
  ["a b", "a b c", { start: "a b", one: "", other: " c", end: "" }],
  ["same", "same", { start: "same", one: "", other: "", end: "" }],
  ["", "new", { start: "", one: "", other: "new", end: "" }],
  ["go 😀", "go 😁", { start: "go ", one: "😀", other: "😁", end: "" }],
  ["aa aa", "aa", { start: "aa", one: " aa", other: "", end: "" }],
])("%j and %j differ by whole words", (one, other, difference) => {
  expect(differenceOf(one, other)).toEqual(difference);
});

test("a long text is clipped to one line, on the side that is asked for", () => {
  expect(clipEnd("one\ntwo three", 8)).toBe("one two…");
  expect(clipStart("one\ntwo three", 8)).toBe("…o three");
  expect(clipEnd("short", 8)).toBe("short");
  expect(clipEnd("abc😀", 5)).toBe("abc😀");
  expect(clipEnd("abc😀d", 5)).toBe("abc…");
});
