/** The form of a training set as typed, and the request made from it. */
import type { TrainingSetRequest } from "@/api/types";

export type Source = NonNullable<TrainingSetRequest["source"]>;
export type Writer = NonNullable<TrainingSetRequest["writer"]>;
export type Reward = NonNullable<TrainingSetRequest["reward"]>;

export const SOURCES: { value: Source; label: string; description: string }[] = [
  {
    value: "recorded",
    label: "Recorded",
    description: "LLM calls as recorded; calls whose answer a person changed are left out",
  },
  {
    value: "rebuilt",
    label: "Rebuilt",
    description: "Calls made anew by the tape's agent, so that edited steps are trained on",
  },
  {
    value: "edits",
    label: "Preference pairs",
    description: "What a person wrote in an edit, preferred to what the model had answered",
  },
  {
    value: "groups",
    label: "Groups with rewards",
    description:
      "Recorded attempts at one task, or from one step: those above the mean of their group are reinforced, those below discouraged",
  },
  {
    value: "relabeled",
    label: "Relabeled by a teacher",
    description: "A teacher's answers in the states that a student reached in its own tapes",
  },
  {
    value: "mixture",
    label: "Mixture of sets",
    description:
      "A share of each of several sets; tasks that any of them holds out are not trained on",
  },
];

export const WRITERS: { value: Writer; label: string }[] = [
  { value: "anyone", label: "By anyone" },
  { value: "person", label: "By a person" },
  { value: "model", label: "By a model" },
];

export type Severity = NonNullable<TrainingSetRequest["without_findings"]>;

export const SEVERITIES: { value: Severity; label: string }[] = [
  { value: "error", label: "Errors" },
  { value: "warning", label: "Errors and warnings" },
  { value: "info", label: "All findings" },
];

export interface MixedPart {
  setId: string | null;
  weight: number | string;
}

export const NO_PART: MixedPart = { setId: null, weight: "" };

export interface SetDraft {
  name: string;
  query: string;
  source: Source;
  writer: Writer;
  /** The base whose recorded tokens are learnt; empty: all examples are made from text. */
  base: string;
  reward: Reward;
  dividesBySpread: boolean;
  /** `null`: the model that each tape's agent names. */
  teacherId: string | null;
  joined: string[];
  /** Steps with findings of this severity or higher are skipped. */
  findings: Severity | null;
  minimumScore: number | string;
  parts: MixedPart[];
  size: number | string;
  /** The percentage of tasks that is held out. */
  percent: number | string;
}

/** Prefilled from the address. One tape is one task: if it were held out, none would remain. */
export function beginSet(address: URLSearchParams, tapeIds: readonly string[] | null): SetDraft {
  return {
    name: address.get("name") ?? "",
    query: address.get("q") ?? "",
    source: SOURCES.find(({ value }) => value === address.get("source"))?.value ?? "recorded",
    writer: WRITERS.find(({ value }) => value === address.get("writer"))?.value ?? "anyone",
    base: "",
    reward: "outcome",
    dividesBySpread: true,
    teacherId: null,
    joined: [],
    findings: null,
    minimumScore: "",
    parts: [NO_PART, NO_PART],
    size: "",
    percent: tapeIds?.length === 1 ? 0 : 10,
  };
}

export const takesTokens = (source: Source) => source === "recorded" || source === "groups";

/** The request of a draft; `null` while something is missing from it. */
export function readSet(
  draft: SetDraft,
  tapeIds: readonly string[] | null,
): TrainingSetRequest | null {
  const { source, percent } = draft;
  const name = draft.name.trim();
  if (name === "" || typeof percent !== "number") return null;
  const isMixture = source === "mixture";
  const mixture = isMixture ? readParts(draft.parts) : [];
  if (mixture === null) return null;
  return {
    q: tapeIds === null && !isMixture ? draft.query : "",
    ...(tapeIds !== null && !isMixture && { tape_ids: [...tapeIds] }),
    name,
    source,
    writer: source === "rebuilt" ? draft.writer : "anyone",
    base: takesTokens(source) ? draft.base : "",
    reward: draft.reward,
    divides_by_spread: draft.dividesBySpread,
    joined: source === "relabeled" ? draft.joined : [],
    ...(source === "relabeled" && draft.teacherId !== null && { teacher_id: draft.teacherId }),
    ...(!isMixture && readSteps(draft)),
    mixture,
    ...(isMixture && typeof draft.size === "number" && { size: draft.size }),
    held_out_share: percent / 100,
    seed: 0,
  };
}

/** The steps to skip; a student's tapes are not linted, because a teacher corrects them. */
function readSteps({ source, findings, minimumScore }: SetDraft) {
  return {
    ...(findings !== null && source !== "relabeled" && { without_findings: findings }),
    ...(typeof minimumScore === "number" && { minimum_step_score: minimumScore }),
  };
}

function readParts(parts: readonly MixedPart[]): TrainingSetRequest["mixture"] | null {
  const read = parts.flatMap(({ setId, weight }) =>
    setId !== null && typeof weight === "number" && weight > 0
      ? [{ training_set_id: setId, weight }]
      : [],
  );
  return read.length < parts.length ? null : read;
}
