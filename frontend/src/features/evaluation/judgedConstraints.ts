/** Constraints that code and a judge decide: as typed, and in the API's format. */
import type { Scorer } from "@/api/types";
import {
  CONSTRAINT_KINDS,
  findCheckProblem,
  NO_CHECK,
  toSingleCheck,
  type TypedCheck,
} from "@/features/checks";

export const DECIDED_BY = [
  { value: "judge", label: "The judge decides" },
  { value: "code", label: "A check decides" },
  { value: "hybrid", label: "A check decides what it can, the judge the rest" },
] as const;

/** Which answers of the check are final, without asking the judge. */
export const SETTLES = [
  { value: "both", label: "Ask the judge where the check cannot tell" },
  { value: "yes", label: "Ask the judge where the check says no" },
  { value: "no", label: "Ask the judge where the check says yes" },
] as const;

export const CODE_KINDS = [
  ...CONSTRAINT_KINDS,
  { value: "answer", label: "The answer is the expected one" },
  { value: "function", label: "A Python function" },
] as const;

export type DecidedBy = (typeof DECIDED_BY)[number]["value"];
export type Settles = (typeof SETTLES)[number]["value"];
export type CodeKind = (typeof CODE_KINDS)[number]["value"];

export interface TypedJudgedConstraint {
  /** Identifies the constraint while its name is typed. */
  id: number;
  name: string;
  by: DecidedBy;
  /** The question for the judge. */
  says: string;
  settles: Settles;
  kind: CodeKind;
  check: TypedCheck;
  functionName: string | null;
}

type ConstraintJudge = Extract<Scorer, { kind: "judged_constraints" }>;
type Sent = ConstraintJudge["constraints"][number];
type Check = Extract<Sent, { by: "code" }>["check"];

export function newConstraint(others: readonly TypedJudgedConstraint[]): TypedJudgedConstraint {
  return {
    id: Math.max(-1, ...others.map(({ id }) => id)) + 1,
    name: "",
    by: "judge",
    says: "",
    settles: "both",
    kind: "contains",
    check: { ...NO_CHECK, kind: "contains" },
    functionName: null,
  };
}

export function findJudgedProblem(
  constraints: readonly TypedJudgedConstraint[],
  judgeId: string | null,
): string {
  if (judgeId === null) return "Choose the judge model.";
  if (constraints.length === 0) return "Add a constraint.";
  const names = constraints.map(({ name }) => name.trim());
  if (names.includes("")) return "Name each constraint.";
  if (new Set(names).size < names.length) return "Give each constraint a name of its own.";
  return constraints.map(findProblem).find((problem) => problem !== "") ?? "";
}

function findProblem({ by, says, kind, check, functionName }: TypedJudgedConstraint): string {
  if (by !== "code" && says.trim() === "") return "Enter what to ask the judge.";
  if (by === "judge" || kind === "answer") return "";
  if (kind === "function") return functionName === null ? "Choose a function." : "";
  return findCheckProblem({ ...check, kind });
}

export function toJudgedConstraints(
  constraints: readonly TypedJudgedConstraint[],
  judgeId: string | null,
  needsAll: boolean,
): ConstraintJudge {
  return {
    kind: "judged_constraints",
    model_id: judgeId ?? "",
    constraints: constraints.flatMap(send),
    needs_all: needsAll,
  };
}

function send(typed: TypedJudgedConstraint): Sent[] {
  const named = { name: typed.name.trim(), weight: 1 };
  const says = typed.says.trim();
  if (typed.by === "judge") return [{ ...named, by: "judge", says }];
  const check = readCode(typed);
  if (check === null) return [];
  if (typed.by === "code") return [{ ...named, by: "code", check }];
  return [{ ...named, by: "hybrid", check, says, settles: typed.settles }];
}

function readCode({ kind, check, functionName }: TypedJudgedConstraint): Check | null {
  if (kind === "answer") return { kind: "answer", takes_unclear_as_wrong: false, any_order: false };
  if (kind === "function") return { kind: "function", name: functionName ?? "" };
  return toSingleCheck({ ...check, kind });
}
