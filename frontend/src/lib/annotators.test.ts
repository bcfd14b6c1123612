import { expect, test } from "vitest";

import { describeAnnotators } from "@/lib/annotators";

const ADA = { person: "ada", outcome: "pass" } as const;
const BOB = { person: "bob", outcome: "fail" } as const;

test("who judged is named, each person once", () => {
  expect(describeAnnotators("pass", [ADA, { ...BOB, outcome: "pass" }, ADA])).toBe(
    "Judged in a queue by ada, bob.",
  );
});

test("annotators who disagree are told with what they said", () => {
  expect(describeAnnotators("", [ADA, BOB])).toBe(
    "Annotators disagree (ada passed, bob failed), so their answers do not set the outcome.",
  );
});

test("a judgement after them, or none of them, says nothing", () => {
  expect(describeAnnotators("fail", [ADA])).toBe("");
  expect(describeAnnotators("pass", [])).toBe("");
});
