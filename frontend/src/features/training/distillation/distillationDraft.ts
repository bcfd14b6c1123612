/** The form of a new distillation as typed, and the request made from it. */
import type { FinetuneOptions } from "@/api/training";
import type { DistillationRequest } from "@/api/types";
import {
  EMPTY_FINETUNE,
  PRESETS,
  readOptions,
  type OptionsDraft,
} from "@/features/training/finetuneDraft";
import { microDollars } from "@/lib/money";
import type { Typed } from "@/lib/typed";

/** Rounds learn from answers, not from preferences. */
export const ANSWER_PRESETS = PRESETS.filter(({ value }) => value !== "preference");

export interface DistillationDraft extends OptionsDraft {
  name: string;
  query: string;
  agentVersionId: string | null;
  /** `null`: the model that the agent names. */
  teacherId: string | null;
  /** The student that drives the first round; `null`: the teacher does. */
  adapterId: string | null;
  base: string;
  rounds: Typed;
  /** The share of tasks, in percent. */
  mixing: Typed;
  /** Empty: no limit. */
  labels: Typed;
  dollars: Typed;
  heldOut: Typed;
  /** For each run. */
  turns: Typed;
}

export const EMPTY_DISTILLATION: DistillationDraft = {
  name: "",
  query: "",
  agentVersionId: null,
  teacherId: null,
  adapterId: null,
  base: "",
  rounds: 3,
  mixing: 0,
  labels: "",
  dollars: "",
  heldOut: 10,
  turns: 20,
  preset: EMPTY_FINETUNE.preset,
  fields: {},
  other: "",
};

/** The request of a draft, or what is still missing from it. */
export function readDistillation(
  draft: DistillationDraft,
  options: FinetuneOptions,
): { request: DistillationRequest } | { problem: string } {
  const { rounds, mixing, heldOut, turns } = draft;
  if (draft.name.trim() === "") return { problem: "Give it a name." };
  if (draft.query.trim() === "") return { problem: "Choose the tasks." };
  if (draft.agentVersionId === null) return { problem: "Choose an agent." };
  if (draft.base.trim() === "") return { problem: "Choose a base model." };
  if (typeof rounds !== "number") return { problem: "Enter the number of rounds." };
  if (typeof mixing !== "number") return { problem: "Enter the share of tasks the teacher runs." };
  if (typeof heldOut !== "number") return { problem: "Enter the share to hold out." };
  if (typeof turns !== "number") return { problem: "Enter the maximum number of turns." };
  const read = readOptions(draft, options);
  if ("problem" in read) return read;
  return {
    request: {
      name: draft.name.trim(),
      q: draft.query.trim(),
      agent_version_id: draft.agentVersionId,
      base: draft.base.trim(),
      ...(draft.teacherId !== null && { teacher_id: draft.teacherId }),
      ...(draft.adapterId !== null && { adapter_id: draft.adapterId }),
      rounds,
      mixing: mixing / 100,
      budget: {
        ...(typeof draft.labels === "number" && { labels: draft.labels }),
        ...(typeof draft.dollars === "number" && { micro_usd: microDollars(draft.dollars) }),
      },
      preset: draft.preset,
      options: read.options,
      max_turns: turns,
      held_out_share: heldOut / 100,
      seed: 0,
    },
  };
}

/** Who drives how much of each round, computed as the server will. */
export function describeMixing({
  rounds,
  mixing,
  adapterId,
}: Pick<DistillationDraft, "rounds" | "mixing" | "adapterId">): string {
  if (typeof rounds !== "number" || typeof mixing !== "number" || rounds < 1) return "";
  const shares = Array.from({ length: Math.min(rounds, 4) }, (_, at) =>
    Math.round(100 * (mixing / 100) ** (adapterId === null ? at : at + 1)),
  );
  const more = rounds > shares.length ? ", …" : "";
  return `The teacher runs ${shares.map((share) => `${share} %`).join(", ")}${more} of the tasks.`;
}
