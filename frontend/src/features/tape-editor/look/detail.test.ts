import { expect, test } from "vitest";

import { isHidden, isRevealed, type StepFacts } from "@/features/tape-editor/look/detail";

function facts(part: Partial<StepFacts>): StepFacts {
  return { kind: "assistant", family: "action", is_error: false, gist: "Hello", ...part };
}

const CONTROL = facts({ kind: "set_next_node", family: "control", gist: "reflect" });
const EMPTY = facts({ kind: "reasoning_thought", family: "thought", gist: "" });
const CALL = facts({ kind: "call", family: "control", gist: "Manager" });
const THOUGHT = facts({ kind: "reasoning_thought", family: "thought" });
const RESULT = facts({ kind: "tool", family: "observation" });
const ERROR = facts({ kind: "tool", family: "observation", is_error: true });
const CALLS_TOOLS = [
  'get_stock_ticker({"company_name":"Aster"})',
  "files.read({}), search({",
  "now()",
].map((gist) => facts({ gist }));
const SAID = ["user", "assistant", "question", "final_answer_action", "gaia_answer_action"].map(
  (kind) => facts({ kind }),
);

test("everything shows everything", () => {
  for (const step of [CONTROL, EMPTY, CALL, THOUGHT, RESULT, ERROR, ...SAID]) {
    expect(isHidden("all", step)).toBe(false);
  }
});

test("without control steps, empty thoughts are gone too, delegation stays", () => {
  expect([CONTROL, EMPTY].map((step) => isHidden("steps", step))).toEqual([true, true]);
  for (const step of [CALL, THOUGHT, RESULT, ERROR, ...SAID]) {
    expect(isHidden("steps", step)).toBe(false);
  }
});

test("the conversation is what was said, and errors", () => {
  for (const step of [CONTROL, EMPTY, CALL, THOUGHT, RESULT, ...CALLS_TOOLS]) {
    expect(isHidden("talk", step)).toBe(true);
  }
  const explained = facts({ gist: "I call look_up({}) now" });
  for (const step of [ERROR, explained, ...SAID]) expect(isHidden("talk", step)).toBe(false);
});

test("what was asked for is a range with both of its ends", () => {
  const revealed = [{ from: 3, to: 5 }];

  expect([2, 3, 5, 6].map((index) => isRevealed(revealed, index))).toEqual([
    false,
    true,
    true,
    false,
  ]);
});
