/** The form of a rerun, and the request made from it. */
import type { RerunSpec } from "@/api/types";
import { microDollars } from "@/lib/money";

export interface RerunDraft {
  agentId: string | null;
  /** `null`: the newest version. */
  versionId: string | null;
  /** `null`: the model that the agent names. */
  modelId: string | null;
  until: "end" | "next_action" | "next_node";
  tools: "live" | "replay" | "ask";
  tokens: number | null;
  dollars: number | null;
  concurrency: number | null;
  /** `null`: the suggested name. */
  name: string | null;
}

export const NO_RERUN: RerunDraft = {
  agentId: null,
  versionId: null,
  modelId: null,
  until: "end",
  tools: "live",
  tokens: null,
  dollars: null,
  concurrency: null,
  name: null,
};

export const HOW_FAR = [
  { value: "end", label: "To the end" },
  { value: "next_action", label: "To the first action" },
  { value: "next_node", label: "Through one node" },
] as const;

export const TOOLS = [
  { value: "live", label: "Run them" },
  { value: "replay", label: "Replay what was recorded" },
  { value: "ask", label: "Ask me each time" },
] as const;

/** The part of the draft that decides who runs and how; changing it requires a new preview. */
export type RerunOptions = Pick<
  RerunSpec,
  "agent_version_id" | "model_id" | "tools" | "until" | "max_turns"
>;

/** The run bar's limit: a run with more turns is treated as an endless loop. */
const MAX_TURNS = 20;

export function readOptions(draft: RerunDraft, versionId: string): RerunOptions {
  return {
    agent_version_id: versionId,
    model_id: draft.modelId,
    tools: { default: draft.tools },
    until: { kind: draft.until },
    max_turns: MAX_TURNS,
  };
}

/** The hard stops and the concurrency, in the server's format. */
export function readLimits({ tokens, dollars, concurrency }: RerunDraft) {
  return {
    budget: {
      tokens,
      micro_usd: dollars === null ? null : Math.max(1, microDollars(dollars)),
    },
    concurrency,
  };
}

/** The agents to choose from, and the chosen one. */
export interface Who {
  agents: readonly { id: string; name: string }[];
  versions: readonly { id: string; number: number }[];
  agentId: string | null;
  versionId: string | null;
  /** "analyst v3"; empty while no version is chosen. */
  label: string;
  error: unknown;
}
