import { expect, test } from "vitest";

import {
  changesIn,
  countChanges,
  DEFAULT_CHOICE,
  policyOf,
  readChoice,
  readParameters,
  resetOptions,
  runOptions,
  toggleBreakpoint,
  toRemember,
  unansweredMocks,
  withPolicy,
} from "@/features/tape-editor/choice/runChoice";

const NODE = { kind: "node", value: "plan" } as const;

test("a choice as it comes changes nothing and asks for an ordinary run", () => {
  expect(countChanges(DEFAULT_CHOICE)).toBe(0);
  expect(runOptions(DEFAULT_CHOICE, "v1")).toEqual({
    agent_version_id: "v1",
    model_id: null,
    parameters: {},
    tools: { default: "live", by_tool: {}, mocks: {} },
    until: { kind: "end", position: null },
    budget: { tokens: null, micro_usd: null, seconds: null },
    reuse_recorded: false,
    breakpoints: [],
    is_stepping: false,
    max_turns: 20,
  });
});

test("budgets in dollars and minutes are sent in millionths and seconds", () => {
  const choice = {
    ...DEFAULT_CHOICE,
    budgetTokens: 500,
    budgetDollars: 0.0021,
    budgetMinutes: 1.5,
  };

  expect(runOptions(choice, "v1").budget).toEqual({ tokens: 500, micro_usd: 2100, seconds: 90 });
  expect(changesIn("budget", choice)).toBe(3);
});

test("named parameters go over those typed as JSON", () => {
  const typed = '{"stop": ["END"], "temperature": 2}';
  const named = { temperature: 0.5, seed: 7, reasoningEffort: "low" } as const;
  const choice = { ...DEFAULT_CHOICE, ...named, otherParameters: typed };

  expect(readParameters(choice)).toEqual({
    parameters: { stop: ["END"], temperature: 0.5, seed: 7, reasoning_effort: "low" },
    problem: "",
  });
});

test.each(["{", "[1]", "3", '"x"'])("parameters that are no object are told: %s", (typed) => {
  const read = readParameters({ ...DEFAULT_CHOICE, otherParameters: typed });

  expect(read.problem).not.toBe("");
  expect(read.parameters).toEqual({});
});

test("until a step without a number means to the end", () => {
  const choice = { ...DEFAULT_CHOICE, until: "step" } as const;

  expect(runOptions(choice, "v").until).toEqual({ kind: "end", position: null });
  expect(runOptions({ ...choice, untilStep: 9 }, "v").until).toEqual({ kind: "step", position: 9 });
});

test("a tool that cannot be undone asks unless it is told otherwise", () => {
  const live = withPolicy(DEFAULT_CHOICE, "send_mail", "live");

  expect(policyOf(DEFAULT_CHOICE, "send_mail", true)).toBe("ask");
  expect(policyOf(live, "send_mail", true)).toBe("live");
  expect(policyOf(withPolicy(live, "send_mail", null), "send_mail", true)).toBe("ask");
  expect(policyOf({ ...DEFAULT_CHOICE, defaultPolicy: "replay" }, "search", false)).toBe("replay");
});

test("only answers of tools that are mocked are sent, and each needs one", () => {
  const choice = { ...withPolicy(DEFAULT_CHOICE, "a", "mock"), mocks: { b: "old" } };

  expect(runOptions(choice, "v").tools).toEqual({
    default: "live",
    by_tool: { a: "mock" },
    mocks: {},
  });
  expect(unansweredMocks(choice)).toEqual(["a"]);
  expect(unansweredMocks({ ...choice, mocks: { a: "yes" } })).toEqual([]);
});

test("a breakpoint is put and taken away by the same hand", () => {
  const once = toggleBreakpoint([], NODE);

  expect(once).toEqual([NODE]);
  expect(toggleBreakpoint(once, { kind: "node", value: "plan" })).toEqual([]);
});

test("what is about this place is not remembered, the rest is", () => {
  const choice = {
    ...DEFAULT_CHOICE,
    until: "step",
    untilStep: 4,
    count: 9,
    from: "end",
    breakpoints: [NODE],
  } as const;

  const kept = readChoice(
    JSON.parse(JSON.stringify(toRemember({ ...choice, breakpoints: [NODE] }))),
  );

  expect(kept).toEqual({ ...DEFAULT_CHOICE, breakpoints: [NODE] });
});

test.each([null, 3, "x", [], { until: "never" }, { maxTurns: "many" }])(
  "what was kept and cannot be read is as in the beginning: %j",
  (kept) => expect(readChoice(kept)).toEqual(DEFAULT_CHOICE),
);

test("reset leaves agent, model and temperature as they are", () => {
  const choice = {
    ...DEFAULT_CHOICE,
    agentId: "a",
    temperature: 1,
    budgetTokens: 5,
    isStepping: true,
  };

  expect(resetOptions(choice)).toEqual({ ...DEFAULT_CHOICE, agentId: "a", temperature: 1 });
});
