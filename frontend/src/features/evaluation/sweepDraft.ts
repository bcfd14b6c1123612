/** The form of a new sweep as typed, and the request made from it. */
import type { DatasetScorer, SweepRequest } from "@/api/types";
import {
  findScorerProblem,
  NO_SCORER,
  readScoring,
  type ScorerDraft,
} from "@/features/evaluation/scorerDraft";
import { countOf } from "@/lib/format";
import { secondsOf } from "@/lib/limits";
import { microDollars } from "@/lib/money";
import type { Typed } from "@/lib/typed";

const MOST_VARIANTS = 12;

export interface SweepDraft {
  name: string;
  query: string;
  /** Ids of agent versions. */
  agents: string[];
  /** Ids of LLM models; `OWN_MODEL` stands for the model that each agent names. */
  models: string[];
  /** Numbers, separated by commas. */
  seeds: string;
  repeats: Typed;
  dollars: Typed;
  calls: Typed;
  minutes: Typed;
  turns: Typed;
  scorer: ScorerDraft;
}

export const OWN_MODEL = "own";

export const EMPTY_SWEEP: SweepDraft = {
  name: "",
  query: "",
  agents: [],
  models: [OWN_MODEL],
  seeds: "",
  repeats: 1,
  dollars: "",
  calls: "",
  minutes: "",
  turns: 50,
  scorer: NO_SCORER,
};

/** Every agent with every model; the first one is the baseline. */
export function variantsOf({ agents, models }: SweepDraft): SweepRequest["variants"] {
  return agents.flatMap((agent) =>
    models.map((model) => ({
      agent_version_id: agent,
      model_id: model === OWN_MODEL ? null : model,
    })),
  );
}

/** The request of a draft, or what is still missing from it. */
export function readSweep(
  draft: SweepDraft,
  kept: readonly DatasetScorer[] = [],
): { request: SweepRequest } | { problem: string } {
  const { repeats, turns } = draft;
  const variants = variantsOf(draft);
  const seeds = readSeeds(draft.seeds);
  if (draft.name.trim() === "") return { problem: "Give it a name." };
  if (draft.query.trim() === "") return { problem: "Choose the tasks." };
  if (variants.length === 0) return { problem: "Choose an agent and a model." };
  if (variants.length > MOST_VARIANTS) {
    return {
      problem: `That would be ${variants.length} variants; a sweep has at most ${MOST_VARIANTS}.`,
    };
  }
  if (seeds === null) return { problem: "Enter seeds as numbers, such as 1, 2, 3." };
  if (typeof repeats !== "number") return { problem: "Enter the number of repeats." };
  if (typeof turns !== "number") return { problem: "Enter the maximum number of turns." };
  const scorerProblem = findScorerProblem(draft.scorer);
  if (scorerProblem !== "") return { problem: scorerProblem };
  return {
    request: {
      name: draft.name.trim(),
      q: draft.query.trim(),
      variants,
      seeds,
      repeats,
      tools: { default: "live" },
      max_turns: turns,
      scoring: readScoring(draft.scorer, kept),
      budget: {
        ...(typeof draft.dollars === "number" && { micro_usd: microDollars(draft.dollars) }),
        ...(typeof draft.calls === "number" && { calls: draft.calls }),
        ...(typeof draft.minutes === "number" && { seconds: secondsOf(draft.minutes) }),
      },
    },
  };
}

/** "4 variants × 3 attempts × 20 tasks = 240 runs"; empty while that is unknown. */
export function describeSize(draft: SweepDraft, taskCount: number | undefined): string {
  const read = readSweep({ ...draft, name: draft.name === "" ? "any" : draft.name });
  if ("problem" in read || taskCount === undefined) return "";
  const { variants, seeds, repeats } = read.request;
  const attempts = Math.max(1, seeds.length) * repeats;
  const parts = [
    countOf(variants.length, "variant"),
    countOf(attempts, "attempt"),
    countOf(taskCount, "task"),
  ];
  return `${parts.join(" × ")} = ${countOf(variants.length * attempts * taskCount, "run")}`;
}

/** `null` unless all of them are whole numbers. */
export function readSeeds(written: string): number[] | null {
  const words = written.split(/[\s,]+/).filter((word) => word !== "");
  const seeds = words.map(Number);
  return seeds.every((seed) => Number.isSafeInteger(seed) && seed >= 0) ? seeds : null;
}
