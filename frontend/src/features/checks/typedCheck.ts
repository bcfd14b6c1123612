/** A check as typed and in the API's format: pure values, for Run N and for regression tests. */
import type { ExperimentCheck, TestCheck } from "@/api/types";

const SINGLE_KINDS = [
  { value: "contains", label: "The final text contains" },
  { value: "equals", label: "The final text equals" },
  { value: "number", label: "The last number is" },
  { value: "regex", label: "The final text matches a pattern" },
  { value: "jmespath", label: "An expression is true" },
  { value: "no_error", label: "No step reports an error" },
  { value: "state", label: "The environment is in a state" },
] as const;

/** The kinds of Run N, where a person or a model may judge too. */
export const RUN_N_KINDS = [
  { value: "hand", label: "I judge by hand" },
  ...SINGLE_KINDS,
  { value: "judge", label: "A model judges by a rubric" },
] as const;

/** The kinds of a regression test, which is decided without a person or a model. */
export const TEST_KINDS = [
  ...SINGLE_KINDS,
  { value: "constraints", label: "Several constraints are met" },
  { value: "checkpoints", label: "Checkpoints are met in order" },
] as const;

/** For a test that was made from one step of a tape: kept or replaced, but never typed. */
export const NEXT_STEP = {
  value: "next_step",
  label: "The next action is the recorded one",
} as const;

/** The kinds of a single constraint. */
export const CONSTRAINT_KINDS = SINGLE_KINDS;

export type CheckKind =
  (typeof RUN_N_KINDS | typeof TEST_KINDS)[number]["value"] | typeof NEXT_STEP.value;

export type NextStepCheck = Extract<TestCheck, { kind: "next_step" }>;

/** One of several checks, with its name. */
export interface TypedConstraint {
  /** Identifies the constraint while its name is typed. */
  id: number;
  name: string;
  /** As typed. */
  weight: string;
  /** Only for a checkpoint: checked at the end of the run only. */
  atEnd: boolean;
  check: TypedCheck;
}

/** A check as typed: each kind keeps its fields while another kind is selected. */
export interface TypedCheck {
  kind: CheckKind;
  text: string;
  ignoresCase: boolean;
  /** As typed. */
  number: string;
  within: string;
  pattern: string;
  expression: string;
  /** The state of the environment, as JSON. */
  state: string;
  isExact: boolean;
  judgeId: string | null;
  rubric: string;
  passScore: number;
  /** The constraints, or the checkpoints, which have the same fields. */
  constraints: readonly TypedConstraint[];
  /** The recorded action, if the test has one. */
  nextStep: NextStepCheck | null;
}

export const NO_CHECK: TypedCheck = {
  kind: "hand",
  text: "",
  ignoresCase: true,
  number: "",
  within: "",
  pattern: "",
  expression: "",
  state: "",
  isExact: false,
  judgeId: null,
  rubric: "",
  passScore: 0.5,
  constraints: [],
  nextStep: null,
};

/** In words. A longer answer may be right in other words, so a person or a judge must decide. */
const LONGEST_SHORT = 12;

/** The check that the expected answer suggests: compare a number, search for a short text. */
export function firstCheck(expected: string): TypedCheck {
  const text = expected.trim();
  if (text === "" || text.split(/\s+/).length > LONGEST_SHORT) return NO_CHECK;
  const number = readNumber(text);
  if (number !== null) return { ...NO_CHECK, kind: "number", number: String(number), text };
  return { ...NO_CHECK, kind: "contains", text };
}

/** Parses numbers such as `$1,200.50` and `17 %`; null for other text. */
export function readNumber(typed: string): number | null {
  const bare = typed
    .trim()
    .replace(/^[$€£]\s*|\s*[$€£%]$/g, "")
    .replace(/(?<=\d),(?=\d{3}(\D|$))/g, "");
  if (!/^[-+−]?(\d+(\.\d*)?|\.\d+)(e[-+]?\d{1,3})?$/i.test(bare)) return null;
  const value = Number(bare.replace("−", "-"));
  return Number.isFinite(value) ? value : null;
}

/** `null` unless it is a JSON object with at least one field. */
function readState(typed: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(typed);
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject && Object.keys(value).length > 0 ? { ...value } : null;
  } catch {
    return null;
  }
}

export function findCheckProblem(check: TypedCheck): string {
  switch (check.kind) {
    case "contains":
    case "equals":
      return check.text.trim() === "" ? "Enter the text that passes." : "";
    case "number":
      if (readNumber(check.number) === null) return "Enter the number that passes.";
      return check.within.trim() === "" || (readNumber(check.within) ?? -1) >= 0
        ? ""
        : "Enter how far off the number may be, 0 or more.";
    case "regex":
      return check.pattern === "" ? "Enter the pattern that passes." : "";
    case "jmespath":
      return check.expression.trim() === "" ? "Enter the expression that passes." : "";
    case "state":
      return readState(check.state) === null ? "Enter the state as a JSON object." : "";
    case "judge":
      if (check.judgeId === null) return "Choose the judge model.";
      return check.rubric.trim() === "" ? "Enter the rubric for the judge." : "";
    case "constraints":
      return findConstraintProblem(check.constraints, "constraint");
    case "checkpoints":
      return findConstraintProblem(check.constraints, "checkpoint");
    case "hand":
    case "no_error":
    case "next_step":
      return "";
  }
}

function findConstraintProblem(constraints: readonly TypedConstraint[], noun: string): string {
  if (constraints.length === 0) return `Add a ${noun}.`;
  const names = constraints.map(({ name }) => name.trim());
  if (names.includes("")) return `Name each ${noun}.`;
  if (new Set(names).size < names.length) return `Give each ${noun} a name of its own.`;
  if (constraints.some(({ weight }) => !((readNumber(weight) ?? 0) > 0)))
    return "Enter weights above 0.";
  const problems = constraints.map(({ check }) => findCheckProblem(check));
  return problems.find((problem) => problem !== "") ?? "";
}

type SingleCheck = Exclude<ExperimentCheck, { kind: "judge" }>;

/** `null` if a person judges. */
export function toCheck(check: TypedCheck): ExperimentCheck | null {
  if (check.kind === "judge") {
    return {
      kind: "judge",
      model_id: check.judgeId ?? "",
      rubric: check.rubric,
      pass_score: check.passScore,
    };
  }
  return toSingleCheck(check);
}

/** The check of a regression test; `null` if the chosen kind cannot decide one. */
export function toTestCheck(check: TypedCheck): TestCheck | null {
  if (check.kind === "next_step") return check.nextStep;
  if (check.kind !== "constraints" && check.kind !== "checkpoints") return toSingleCheck(check);
  const parts = check.constraints.flatMap(({ name, weight, atEnd, check: typed }) => {
    const single = toSingleCheck(typed);
    return single === null
      ? []
      : [{ atEnd, part: { name: name.trim(), weight: readNumber(weight) ?? 1, check: single } }];
  });
  return check.kind === "constraints"
    ? { kind: "constraints", constraints: parts.map(({ part }) => part) }
    : {
        kind: "checkpoints",
        checkpoints: parts.map(({ atEnd, part }) => ({ ...part, at_end: atEnd })),
      };
}

/** A check that needs no model; `null` for other kinds. */
export function toSingleCheck(check: TypedCheck): SingleCheck | null {
  switch (check.kind) {
    case "contains":
    case "equals":
      return { kind: check.kind, text: check.text, ignores_case: check.ignoresCase };
    case "number":
      return {
        kind: "number",
        value: readNumber(check.number) ?? 0,
        within: readNumber(check.within) ?? 0,
      };
    case "regex":
      return { kind: "regex", pattern: check.pattern };
    case "jmespath":
      return { kind: "jmespath", expression: check.expression };
    case "no_error":
      return { kind: "no_error" };
    case "state":
      return { kind: "state", state: readState(check.state) ?? {}, is_exact: check.isExact };
    case "hand":
    case "judge":
    case "constraints":
    case "checkpoints":
    case "next_step":
      return null;
  }
}

/** Convert a stored check back to its typed form. */
export function fromCheck(check: ExperimentCheck | TestCheck | null): TypedCheck {
  if (check === null) return NO_CHECK;
  switch (check.kind) {
    case "contains":
    case "equals":
      return { ...NO_CHECK, kind: check.kind, text: check.text, ignoresCase: check.ignores_case };
    case "number":
      return {
        ...NO_CHECK,
        kind: "number",
        number: String(check.value),
        within: check.within === 0 ? "" : String(check.within),
      };
    case "regex":
      return { ...NO_CHECK, kind: "regex", pattern: check.pattern };
    case "jmespath":
      return { ...NO_CHECK, kind: "jmespath", expression: check.expression };
    case "no_error":
      return { ...NO_CHECK, kind: "no_error" };
    case "state":
      return {
        ...NO_CHECK,
        kind: "state",
        state: JSON.stringify(check.state, null, 2),
        isExact: check.is_exact,
      };
    case "judge":
      return {
        ...NO_CHECK,
        kind: "judge",
        judgeId: check.model_id,
        rubric: check.rubric,
        passScore: check.pass_score,
      };
    case "next_step":
      return { ...NO_CHECK, kind: "next_step", nextStep: check };
    case "constraints":
      return {
        ...NO_CHECK,
        kind: "constraints",
        constraints: check.constraints.map((one, id) => typeConstraint(one, id, false)),
      };
    case "checkpoints":
      return {
        ...NO_CHECK,
        kind: "checkpoints",
        constraints: check.checkpoints.map((one, id) => typeConstraint(one, id, one.at_end)),
      };
  }
}

type Constraint = Extract<TestCheck, { kind: "constraints" }>["constraints"][number];

function typeConstraint(
  { name, weight, check }: Constraint,
  id: number,
  atEnd: boolean,
): TypedConstraint {
  return { id, name, weight: String(weight), atEnd, check: fromCheck(check) };
}
