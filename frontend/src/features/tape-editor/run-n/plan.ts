/** What the Run N dialog holds, and what is sent: pure values, checked before they are sent. */
import type { Experiment, ExperimentCheck, ExperimentIn } from "@/api/types";
import {
  type BudgetChoice,
  type RunChoice,
  runOptions,
  toBudget,
} from "@/features/tape-editor/choice";

export const MAX_RUNS = 200;
export const AS_AGENT = "as-agent";

export const CHECK_KINDS = [
  { value: "hand", label: "I judge by hand" },
  { value: "contains", label: "The final text contains" },
  { value: "equals", label: "The final text equals" },
  { value: "regex", label: "The final text matches a pattern" },
  { value: "jmespath", label: "An expression is true" },
  { value: "no_error", label: "No step reports an error" },
  { value: "judge", label: "A model judges by a rubric" },
] as const;

export type CheckKind = (typeof CHECK_KINDS)[number]["value"];

/** A check as it is typed: every kind keeps its own words while one looks at another. */
export interface TypedCheck {
  kind: CheckKind;
  text: string;
  ignoresCase: boolean;
  pattern: string;
  expression: string;
  judgeId: string | null;
  rubric: string;
  passScore: number;
}

export interface Plan extends BudgetChoice {
  hasOriginal: boolean;
  hasEdited: boolean;
  /** The last step that is kept; with a range, of the first place. */
  step: number;
  isRange: boolean;
  lastStep: number;
  every: number;
  repeats: number;
  /** Ids of models; `AS_AGENT` for what the agent names. */
  modelIds: readonly string[];
  /** As typed; none: as the agent or the model says. */
  temperatures: readonly string[];
  check: TypedCheck;
}

export const NO_CHECK: TypedCheck = {
  kind: "hand",
  text: "",
  ignoresCase: true,
  pattern: "",
  expression: "",
  judgeId: null,
  rubric: "",
  passScore: 0.5,
};

interface Beginning {
  step: number;
  stepCount: number;
  hasDraft: boolean;
  count: number | null;
  choice: RunChoice;
}

export function firstPlan({ step, stepCount, hasDraft, count, choice }: Beginning): Plan {
  return {
    hasOriginal: true,
    hasEdited: hasDraft,
    step,
    isRange: false,
    lastStep: Math.max(0, stepCount - 1),
    every: 1,
    repeats: count ?? 5,
    modelIds: [choice.modelId ?? AS_AGENT],
    temperatures: choice.temperature === null ? [] : [String(choice.temperature)],
    check: NO_CHECK,
    budgetTokens: choice.budgetTokens,
    budgetDollars: choice.budgetDollars,
    budgetMinutes: choice.budgetMinutes,
  };
}

/** How many leading steps of the recorded tape each place keeps; the edit has its own place. */
export function keptCounts(plan: Plan): number[] {
  if (!plan.isRange) return [plan.step + 1];
  const every = Math.max(1, plan.every);
  const counts: number[] = [];
  for (let step = plan.step; step <= plan.lastStep; step += every) counts.push(step + 1);
  return counts;
}

export function countRuns(plan: Plan): number {
  const places = plan.hasEdited
    ? Number(plan.hasOriginal) + 1
    : plan.hasOriginal
      ? keptCounts(plan).length
      : 0;
  const temperatures = Math.max(1, plan.temperatures.length);
  return places * plan.modelIds.length * temperatures * plan.repeats;
}

/** Why it cannot start, in a sentence; empty when it can. */
export function findProblem(plan: Plan): string {
  if (!plan.hasOriginal && !plan.hasEdited) return "Choose the recorded tape, the edit or both.";
  if (plan.modelIds.length === 0) return "Choose at least one model.";
  const wrong = plan.temperatures.find((typed) => readTemperature(typed) === null);
  if (wrong !== undefined) return `“${wrong}” is not a temperature between 0 and 2.`;
  if (plan.isRange && !plan.hasEdited && plan.lastStep < plan.step) {
    return "The range of steps ends before it starts.";
  }
  const runs = countRuns(plan);
  if (runs > MAX_RUNS) {
    return `That would start ${runs} runs; the limit is ${MAX_RUNS} at once. Choose fewer repeats, models, temperatures or steps.`;
  }
  return findCheckProblem(plan.check);
}

export function findCheckProblem(check: TypedCheck): string {
  switch (check.kind) {
    case "contains":
    case "equals":
      return check.text.trim() === "" ? "Enter the text that passes." : "";
    case "regex":
      return check.pattern === "" ? "Enter the pattern that passes." : "";
    case "jmespath":
      return check.expression.trim() === "" ? "Enter the expression that passes." : "";
    case "judge":
      if (check.judgeId === null) return "Choose the judge model.";
      return check.rubric.trim() === "" ? "Enter the rubric for the judge." : "";
    case "hand":
    case "no_error":
      return "";
  }
}

export function readTemperature(typed: string): number | null {
  const value = Number(typed.replace(",", "."));
  return typed.trim() !== "" && value >= 0 && value <= 2 ? value : null;
}

export function toCheck(check: TypedCheck): ExperimentCheck | null {
  switch (check.kind) {
    case "hand":
      return null;
    case "contains":
    case "equals":
      return { kind: check.kind, text: check.text, ignores_case: check.ignoresCase };
    case "regex":
      return { kind: "regex", pattern: check.pattern };
    case "jmespath":
      return { kind: "jmespath", expression: check.expression };
    case "no_error":
      return { kind: "no_error" };
    case "judge":
      return {
        kind: "judge",
        model_id: check.judgeId ?? "",
        rubric: check.rubric,
        pass_score: check.passScore,
      };
  }
}

/** A stored check as it is typed. */
export function fromCheck(check: ExperimentCheck | null): TypedCheck {
  if (check === null) return NO_CHECK;
  switch (check.kind) {
    case "contains":
    case "equals":
      return { ...NO_CHECK, kind: check.kind, text: check.text, ignoresCase: check.ignores_case };
    case "regex":
      return { ...NO_CHECK, kind: "regex", pattern: check.pattern };
    case "jmespath":
      return { ...NO_CHECK, kind: "jmespath", expression: check.expression };
    case "no_error":
      return { ...NO_CHECK, kind: "no_error" };
    case "judge":
      return {
        ...NO_CHECK,
        kind: "judge",
        judgeId: check.model_id,
        rubric: check.rubric,
        passScore: check.pass_score,
      };
  }
}

/** A budget with its absent parts said. */
export function budgetOf({ budget }: Pick<Experiment, "budget">) {
  return {
    tokens: budget.tokens ?? null,
    microUsd: budget.micro_usd ?? null,
    seconds: budget.seconds ?? null,
  };
}

/** What is asked for. Tools, how far and other parameters are those of the run bar. */
export function toRequest(plan: Plan, choice: RunChoice, versionId: string): ExperimentIn {
  const { tools, until, parameters, max_turns: maxTurns } = runOptions(choice, versionId);
  const shared = { ...parameters };
  delete shared["temperature"];
  const temperatures = plan.temperatures.map(readTemperature);
  return {
    agent_version_id: versionId,
    name: "",
    arms: [
      ...(plan.hasOriginal ? (["original"] as const) : []),
      ...(plan.hasEdited ? (["edited"] as const) : []),
    ],
    at: plan.hasEdited ? null : keptCounts(plan),
    model_ids: plan.modelIds.map((id) => (id === AS_AGENT ? null : id)),
    temperatures: temperatures.length === 0 ? [null] : temperatures,
    parameters: shared,
    repeats: plan.repeats,
    tools,
    until,
    max_turns: maxTurns,
    budget: toBudget(plan),
    check: toCheck(plan.check),
  };
}
