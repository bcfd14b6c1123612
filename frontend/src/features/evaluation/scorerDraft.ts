/** The form of a sweep's scorer as typed, and the request made from it. */
import type { DatasetName, DatasetScorer, Scorer, ScoringRequest } from "@/api/types";
import {
  findCheckProblem,
  NO_CHECK,
  TEST_KINDS,
  toTestCheck,
  type TypedCheck,
} from "@/features/checks";
import {
  findJudgedProblem,
  toJudgedConstraints,
  type TypedJudgedConstraint,
} from "@/features/evaluation/judgedConstraints";
import { visibleText } from "@/lib/visibleText";

/** The checks of a regression test, and a judge. */
export const SCORER_CHECKS = [
  ...TEST_KINDS,
  { value: "judge", label: "A model judges by a rubric" },
] as const;

const EXPECTED_KINDS = [
  { value: "answer", label: "The answer is the expected one" },
  { value: "equals", label: "The final text is the expected answer" },
  { value: "contains", label: "The final text contains the expected answer" },
  { value: "math", label: "The answer is equal in mathematics: expressions, LaTeX" },
  { value: "number", label: "The last number is the expected one" },
  { value: "differs", label: "The final text is not the expected answer" },
] as const;

const OUTCOME = "outcome";
const CHECK = "check";
const LINT = "lint";
const ATTACK = "attack";
const FUNCTION = "function";
const PAIRWISE = "pairwise";
const JUDGED = "judged_constraints";
const KEPT = "kept:";

export interface ScorerDraft {
  /** `outcome`, one of the kinds below, or `kept:` with the id of a stored scorer. */
  kind: string;
  ignoresCase: boolean;
  /** Whether lists are equal in any order. */
  anyOrder: boolean;
  /** As typed. */
  within: string;
  check: TypedCheck;
  /** A detector of the linter by name, or `rule:` with the name of a rule. */
  detector: string | null;
  functionName: string | null;
  constraints: readonly TypedJudgedConstraint[];
  needsAll: boolean;
}

export const NO_SCORER: ScorerDraft = {
  kind: OUTCOME,
  ignoresCase: true,
  anyOrder: false,
  within: "",
  check: { ...NO_CHECK, kind: "contains" },
  detector: null,
  functionName: null,
  constraints: [],
  needsAll: false,
};

export const needsCheck = ({ kind }: ScorerDraft) => kind === CHECK;
export const needsCase = ({ kind }: ScorerDraft) =>
  ["equals", "contains", "differs"].includes(kind);
export const needsOrder = ({ kind }: ScorerDraft) => kind === "answer";
export const needsDetector = ({ kind }: ScorerDraft) => kind === LINT;
export const asksFunction = ({ kind }: ScorerDraft) => kind === FUNCTION;
export const asksPairJudge = ({ kind }: ScorerDraft) => kind === PAIRWISE;
export const asksConstraints = ({ kind }: ScorerDraft) => kind === JUDGED;
export const asksMargin = ({ kind }: ScorerDraft) => kind === "number";

/** `withOutcome`: whether the outcome of each tape may decide. */
export function kindsOf(kept: readonly DatasetScorer[], withOutcome: boolean) {
  return [
    ...(withOutcome
      ? [{ value: OUTCOME, label: "The expected answer, or a person where it cannot decide" }]
      : []),
    ...(kept.length > 0
      ? [
          {
            group: "From the dataset",
            items: kept.map(({ id, name }) => ({ value: KEPT + id, label: visibleText(name) })),
          },
        ]
      : []),
    { group: "Against the expected answer", items: [...EXPECTED_KINDS] },
    {
      group: "The same for all tasks",
      items: [
        { value: CHECK, label: "A check, or a model that judges" },
        { value: JUDGED, label: "Several constraints, by checks and by a judge" },
        { value: LINT, label: "The linter finds nothing" },
        { value: ATTACK, label: "The agent does not follow a planted instruction" },
        { value: FUNCTION, label: "A Python function" },
      ],
    },
    {
      group: "Against variant A",
      items: [{ value: PAIRWISE, label: "A model that compares, in both orders" }],
    },
  ];
}

export function findScorerProblem(draft: ScorerDraft): string {
  const { kind, within, check } = draft;
  if (kind === CHECK) return findCheckProblem(check);
  if (kind === PAIRWISE) return findCheckProblem({ ...check, kind: "judge" });
  if (kind === JUDGED) return findJudgedProblem(draft.constraints, check.judgeId);
  if (kind === LINT && draft.detector === null) return "Choose a detector or a rule.";
  if (kind === FUNCTION && draft.functionName === null) return "Choose a function.";
  if (kind === "number" && within.trim() !== "" && !(Number(within) >= 0)) {
    return "Enter how far off the number may be, 0 or more.";
  }
  return "";
}

/** `null` if outcomes decide. */
export function readScoring(
  draft: ScorerDraft,
  kept: readonly DatasetScorer[],
): ScoringRequest | null {
  const scorer = readScorer(draft, kept);
  return scorer === null ? null : { scorer, expected: "frozen" };
}

function readScorer(draft: ScorerDraft, kept: readonly DatasetScorer[]): Scorer | null {
  const { kind, ignoresCase, anyOrder, within, check } = draft;
  switch (kind) {
    case "answer":
      return { kind: "answer", takes_unclear_as_wrong: false, any_order: anyOrder };
    case "math":
      return { kind: "function", name: "math" };
    case "equals":
    case "contains":
    case "differs":
      return { kind, ignores_case: ignoresCase };
    case "number":
      return { kind: "number", within: Number(within) || 0 };
    case CHECK:
      return readCheck(check);
    case PAIRWISE:
      return { kind: "pairwise", model_id: check.judgeId ?? "", rubric: check.rubric };
    case JUDGED:
      return toJudgedConstraints(draft.constraints, check.judgeId, draft.needsAll);
    case ATTACK:
      return { kind: "attack" };
    case LINT:
      return { kind: "lint", detector: draft.detector ?? "", rule: "" };
    case FUNCTION:
      return { kind: "function", name: draft.functionName ?? "" };
    default:
      return kept.find(({ id }) => KEPT + id === kind)?.scorer ?? null;
  }
}

function readCheck(check: TypedCheck): Scorer | null {
  if (check.kind === "judge") {
    return {
      kind: "judge",
      model_id: check.judgeId ?? "",
      rubric: check.rubric,
      pass_score: check.passScore,
    };
  }
  const testCheck = toTestCheck(check);
  return testCheck === null ? null : { kind: "check", check: testCheck };
}

/** The dataset that a query names, recognized by its text alone. */
export function datasetOf(query: string, names: readonly DatasetName[]): string | null {
  const named = [...query.matchAll(/dataset:(?:"((?:\\.|[^"\\])*)"|([^\s(),"]+))/g)].map(
    ([, quoted, bare]) => quoted?.replace(/\\(.)/g, "$1") ?? bare ?? "",
  );
  const plain = named.flatMap((name) => [name, name.replace(/@\d+$/, "")]);
  return names.find(({ name }) => plain.includes(name))?.id ?? null;
}
