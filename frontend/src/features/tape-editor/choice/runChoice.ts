/** A person's choice for the next run, as pure values: changes from the default, what is sent. */
import * as v from "valibot";

import type { Breakpoint, MadeWith, ResumeIn, ToolPolicy } from "@/api/types";
import { EFFORTS } from "@/lib/efforts";
import { isObject, isSameJson, type JsonObject } from "@/lib/json";
import { microDollars } from "@/lib/money";

const nullableNumber = v.nullable(v.number());
const nullableText = v.nullable(v.string());
const policy = v.picklist(["live", "replay", "mock", "ask", "deny", "emulate"]);

const choiceSchema = v.object({
  /** `null`: the agent that wrote the tape, else the one that reads any tape, else the first. */
  agentId: nullableText,
  versionId: nullableText,
  /** `AS_AGENT`: the agent's own; `null`: not chosen. */
  modelId: nullableText,
  temperature: nullableNumber,
  /** How long models that can think should think; `null`: the agent's own. */
  reasoningEffort: v.nullable(v.picklist(EFFORTS)),
  topP: nullableNumber,
  maxTokens: nullableNumber,
  seed: nullableNumber,
  /** Further parameters, as the JSON text that was typed. */
  otherParameters: v.string(),
  defaultPolicy: policy,
  byTool: v.record(v.string(), policy),
  mocks: v.record(v.string(), v.string()),
  until: v.picklist(["end", "next_action", "next_node", "step"]),
  untilStep: nullableNumber,
  budgetTokens: nullableNumber,
  budgetDollars: nullableNumber,
  budgetMinutes: nullableNumber,
  reuseRecorded: v.boolean(),
  breakpoints: v.array(
    v.object({ kind: v.picklist(["node", "kind", "tool", "condition"]), value: v.string() }),
  ),
  isStepping: v.boolean(),
  maxTurns: v.number(),
  /** After an edit: start right after it, or after the stale steps too. */
  from: v.picklist(["edit", "end"]),
  /** How many runs: more than one is an experiment. */
  count: v.number(),
});

/** Stands for the agent's own model where ids of models do. */
export const AS_AGENT = "as-agent";

export type RunChoice = v.InferOutput<typeof choiceSchema>;
export type BudgetChoice = Pick<RunChoice, "budgetTokens" | "budgetDollars" | "budgetMinutes">;

export const DEFAULT_CHOICE: RunChoice = {
  agentId: null,
  versionId: null,
  modelId: null,
  temperature: null,
  reasoningEffort: null,
  topP: null,
  maxTokens: null,
  seed: null,
  otherParameters: "",
  defaultPolicy: "live",
  byTool: {},
  mocks: {},
  until: "end",
  untilStep: null,
  budgetTokens: null,
  budgetDollars: null,
  budgetMinutes: null,
  reuseRecorded: false,
  breakpoints: [],
  isStepping: false,
  maxTurns: 20,
  from: "edit",
  count: 1,
};

/** The fields of the options panel, by part. */
const PARTS = {
  parameters: ["topP", "maxTokens", "seed", "otherParameters"],
  tools: ["defaultPolicy", "byTool"],
  until: ["until", "maxTurns"],
  budget: ["budgetTokens", "budgetDollars", "budgetMinutes"],
  debug: ["breakpoints", "isStepping", "reuseRecorded"],
} as const;

export type OptionPart = keyof typeof PARTS;
const PART_NAMES: readonly OptionPart[] = ["parameters", "tools", "until", "budget", "debug"];

/** How many options of a part differ from the default; tools and breakpoints count individually. */
export function changesIn(part: OptionPart, choice: RunChoice): number {
  return PARTS[part]
    .map((name) => {
      const value = choice[name];
      if (isSameJson(value, DEFAULT_CHOICE[name])) return 0;
      if (Array.isArray(value)) return value.length;
      return typeof value === "object" && value !== null ? Object.keys(value).length : 1;
    })
    .reduce((sum, count) => sum + count, 0);
}

export function countChanges(choice: RunChoice): number {
  return PART_NAMES.map((part) => changesIn(part, choice)).reduce((sum, count) => sum + count, 0);
}

/** The choice with every field of the options panel reset to its default. */
export function resetOptions(choice: RunChoice): RunChoice {
  const { agentId, versionId, modelId, temperature, reasoningEffort, from, count } = choice;
  const kept = { agentId, versionId, modelId, temperature, reasoningEffort, from, count };
  return { ...DEFAULT_CHOICE, ...kept };
}

/** The choice, in which what was not chosen yet is as the tape was made. */
export function withMadeWith(choice: RunChoice, made: MadeWith): RunChoice {
  const { temperature, reasoning_effort, top_p, max_tokens, seed, ...other } =
    made.parameters ?? {};
  const found = readChoice({
    modelId: made.model_id ?? AS_AGENT,
    ...(temperature !== undefined && { temperature }),
    ...(reasoning_effort !== undefined && { reasoningEffort: reasoning_effort }),
    ...(top_p !== undefined && { topP: top_p }),
    ...(max_tokens !== undefined && { maxTokens: max_tokens }),
    ...(seed !== undefined && { seed }),
    ...(Object.keys(other).length > 0 && { otherParameters: JSON.stringify(other) }),
    defaultPolicy: made.tools.default,
    byTool: made.tools.by_tool,
    mocks: made.tools.mocks,
    maxTurns: made.max_turns,
  });
  const usual = new Map<string, unknown>(Object.entries(DEFAULT_CHOICE));
  const chosen = Object.entries(choice).filter(
    ([name, value]) => !isSameJson(value, usual.get(name)),
  );
  return readChoice({ ...found, ...Object.fromEntries(chosen) });
}

export interface ReadParameters {
  parameters: JsonObject;
  problem: string;
}

/** The parameters to send; `problem` states why the typed JSON cannot be sent. */
export function readParameters(choice: RunChoice): ReadParameters {
  const named: [string, number | string | null][] = [
    ["temperature", choice.temperature],
    ["reasoning_effort", choice.reasoningEffort],
    ["top_p", choice.topP],
    ["max_tokens", choice.maxTokens],
    ["seed", choice.seed],
  ];
  const given = Object.fromEntries(named.filter(([, value]) => value !== null));
  const other = readObject(choice.otherParameters);
  return { parameters: { ...other.value, ...given }, problem: other.problem };
}

function readObject(text: string): { value: JsonObject; problem: string } {
  if (text.trim() === "") return { value: {}, problem: "" };
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return { value, problem: "" };
    return { value: {}, problem: 'Parameters must be a JSON object, such as {"stop": ["END"]}' };
  } catch (error) {
    return { value: {}, problem: error instanceof Error ? error.message : "This is not JSON" };
  }
}

export type RunOptions = Omit<ResumeIn, "use_draft" | "fix" | "keeps_draft" | "at">;

/** The body of the request; the model is an id or `null` by now. A person enters budgets in dollars and minutes. */
export function runOptions(choice: RunChoice, versionId: string): RunOptions {
  const untilStep = choice.until === "step" ? choice.untilStep : null;
  return {
    agent_version_id: versionId,
    model_id: choice.modelId,
    parameters: readParameters(choice).parameters,
    tools: {
      default: choice.defaultPolicy,
      by_tool: choice.byTool,
      mocks: Object.fromEntries(
        Object.entries(choice.mocks).filter(([name]) => choice.byTool[name] === "mock"),
      ),
    },
    until: {
      kind: choice.until === "step" && untilStep === null ? "end" : choice.until,
      position: untilStep,
    },
    budget: toBudget(choice),
    reuse_recorded: choice.reuseRecorded,
    breakpoints: choice.breakpoints,
    is_stepping: choice.isStepping,
    max_turns: choice.maxTurns,
  };
}

/** A tool's policy in this run; one that cannot be undone asks unless a person chose otherwise. */
export function policyOf(choice: RunChoice, tool: string, isIrreversible: boolean): ToolPolicy {
  return choice.byTool[tool] ?? (isIrreversible ? "ask" : choice.defaultPolicy);
}

/** `null` resets the tool's policy to the default. */
export function withPolicy(choice: RunChoice, tool: string, chosen: ToolPolicy | null): RunChoice {
  const others = Object.entries(choice.byTool).filter(([name]) => name !== tool);
  const own: [string, ToolPolicy][] = chosen === null ? [] : [[tool, chosen]];
  return { ...choice, byTool: Object.fromEntries([...others, ...own]) };
}

/** Tools that are mocked but have no answer yet: the server would refuse them. */
export function unansweredMocks(choice: RunChoice): string[] {
  return Object.entries(choice.byTool)
    .filter(([name, chosen]) => chosen === "mock" && (choice.mocks[name] ?? "") === "")
    .map(([name]) => name);
}

/** Adds the breakpoint, or removes it if it is there. */
export function toggleBreakpoint(
  breakpoints: readonly Breakpoint[],
  one: Breakpoint,
): Breakpoint[] {
  const left = breakpoints.filter((other) => !isSameJson(other, one));
  return left.length < breakpoints.length ? left : [...breakpoints, one];
}

/** What may be remembered until the next visit; positions on this tape are not. */
export function toRemember(choice: RunChoice): RunChoice {
  const until = choice.until === "step" ? "end" : choice.until;
  return { ...choice, until, untilStep: null, from: "edit", count: 1 };
}

/** Reads a stored choice; falls back to the default if it is no longer valid. */
export function readChoice(kept: unknown): RunChoice {
  if (!isObject(kept)) return DEFAULT_CHOICE;
  const whole = v.safeParse(choiceSchema, { ...DEFAULT_CHOICE, ...kept });
  return whole.success ? whole.output : DEFAULT_CHOICE;
}

/** A budget in the server's units: tokens, millionths of a dollar and seconds. */
export function toBudget({ budgetTokens, budgetDollars, budgetMinutes }: BudgetChoice) {
  return {
    tokens: budgetTokens,
    micro_usd: microDollars(budgetDollars),
    seconds: budgetMinutes === null ? null : budgetMinutes * 60,
  };
}
