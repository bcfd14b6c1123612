/** The content of the Run N dialog, and what is sent: pure values, checked before they are sent. */
import type { Experiment, ExperimentIn, Fix } from "@/api/types";
import { findCheckProblem, firstCheck, toCheck, type TypedCheck } from "@/features/checks";
import {
  AS_AGENT,
  type BudgetChoice,
  type RunChoice,
  runOptions,
  toBudget,
} from "@/features/tape-editor/choice";

export const MAX_RUNS = 200;

export interface Plan extends BudgetChoice {
  hasOriginal: boolean;
  /** The fixes to run. */
  fixes: readonly Fix[];
  /** The last step that is kept; with a range, that of the first place. */
  step: number;
  isRange: boolean;
  lastStep: number;
  every: number;
  repeats: number;
  /** Ids of models; `AS_AGENT` for the agent's own. */
  modelIds: readonly string[];
  /** As typed; empty: the agent's or the model's own. */
  temperatures: readonly string[];
  check: TypedCheck;
}

interface Beginning {
  step: number;
  stepCount: number;
  /** Those that change something. */
  fixes: readonly Fix[];
  /** The answer that the tape's task expects; empty if none is known. */
  expected: string;
  count: number | null;
  choice: RunChoice;
}

export function firstPlan(beginning: Beginning): Plan {
  const { step, stepCount, fixes, expected, count, choice } = beginning;
  return {
    hasOriginal: true,
    fixes,
    step,
    isRange: false,
    lastStep: Math.max(0, stepCount - 1),
    every: 1,
    repeats: count ?? 5,
    modelIds: [choice.modelId ?? AS_AGENT],
    temperatures: choice.temperature === null ? [] : [String(choice.temperature)],
    check: firstCheck(expected),
    budgetTokens: choice.budgetTokens,
    budgetDollars: choice.budgetDollars,
    budgetMinutes: choice.budgetMinutes,
  };
}

export function hasEdits({ fixes }: Pick<Plan, "fixes">): boolean {
  return fixes.length > 0;
}

/** How many leading steps of the recorded tape each place keeps; each fix has its own place. */
export function keptCounts(plan: Plan): number[] {
  if (!plan.isRange) return [plan.step + 1];
  const every = Math.max(1, plan.every);
  const counts: number[] = [];
  for (let step = plan.step; step <= plan.lastStep; step += every) counts.push(step + 1);
  return counts;
}

export function countRuns(plan: Plan): number {
  const places = hasEdits(plan)
    ? Number(plan.hasOriginal) + plan.fixes.length
    : plan.hasOriginal
      ? keptCounts(plan).length
      : 0;
  const temperatures = Math.max(1, plan.temperatures.length);
  return places * plan.modelIds.length * temperatures * plan.repeats;
}

/** Why the plan cannot start, as a sentence; empty if it can. */
export function findProblem(plan: Plan): string {
  if (!plan.hasOriginal && !hasEdits(plan)) return "Choose the recorded tape, a fix or both.";
  if (plan.modelIds.length === 0) return "Choose at least one model.";
  const wrong = plan.temperatures.find((typed) => readTemperature(typed) === null);
  if (wrong !== undefined) return `“${wrong}” is not a temperature between 0 and 2.`;
  if (plan.isRange && !hasEdits(plan) && plan.lastStep < plan.step) {
    return "The range of steps ends before it starts.";
  }
  const runs = countRuns(plan);
  if (runs > MAX_RUNS) {
    return `That would start ${runs} runs; the limit is ${MAX_RUNS} at once. Choose fewer repeats, models, temperatures or steps.`;
  }
  return findCheckProblem(plan.check);
}

export function readTemperature(typed: string): number | null {
  const value = Number(typed.replace(",", "."));
  return typed.trim() !== "" && value >= 0 && value <= 2 ? value : null;
}

/** A budget with its absent parts as null. */
export function budgetOf({ budget }: Pick<Experiment, "budget">) {
  return {
    tokens: budget.tokens ?? null,
    microUsd: budget.micro_usd ?? null,
    seconds: budget.seconds ?? null,
  };
}

/** The body of the request. Tools, run length and other parameters come from the run bar. */
export function toRequest(plan: Plan, choice: RunChoice, versionId: string): ExperimentIn {
  const { tools, until, parameters, max_turns: maxTurns } = runOptions(choice, versionId);
  const shared = { ...parameters };
  delete shared["temperature"];
  const temperatures = plan.temperatures.map(readTemperature);
  return {
    agent_version_id: versionId,
    name: "",
    arms: [...(plan.hasOriginal ? (["original"] as const) : []), ...plan.fixes],
    at: hasEdits(plan) ? null : keptCounts(plan),
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
