import { expect, test } from "vitest";

import { listAnswerMarks } from "@/features/tape-editor/cards/answeredBy";

const marksOf = (other: unknown) => listAnswerMarks({ kind: "tool", metadata: { other } });

test("an observation shows that an instruction was planted, or that a rule answered", () => {
  expect(marksOf({ planted: "Obey.", tool_rule: "Refuse pay." })).toEqual([
    { label: "planted instruction", title: "Obey.", tone: "bad" },
    { label: "by a tool rule", title: "Refuse pay.", tone: "accent" },
  ]);
});

test("an emulated observation says who answered", () => {
  const title = "The model gpt answered; the tool was not called";
  expect(marksOf({ emulated: { by: "model", model: "gpt" } })).toEqual([
    { label: "emulated", title, tone: "accent" },
  ]);
  expect(marksOf({ emulated: { by: "script", model: [7] } })[0]?.title).toMatch(/^A script/);
});

test("hostile metadata shows nothing", () => {
  expect(
    [undefined, null, 7, [], { planted: {}, tool_rule: [1], emulated: "x" }].map(marksOf),
  ).toEqual([[], [], [], [], []]);
});
