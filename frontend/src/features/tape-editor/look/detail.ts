/** How much of a tape is drawn: everything, no control steps, or only the conversation. */
import type { OutlineRow } from "@/api/types";
import { visualFamily } from "@/lib/families";

export const DETAILS = ["all", "steps", "talk"] as const;
export type Detail = (typeof DETAILS)[number];

export const DETAIL_WORDS: Record<Detail, string> = {
  all: "All",
  steps: "No control steps",
  talk: "Conversation",
};

export type StepFacts = Pick<OutlineRow, "kind" | "family" | "is_error" | "gist">;

/** Errors are never hidden: they are what a person is looking for. */
export function isHidden(detail: Detail, step: StepFacts): boolean {
  if (detail === "all") return false;
  const family = visualFamily(step.kind, step.family, step.is_error);
  if (family === "error") return false;
  if (detail === "steps") return family === "control" || (family === "thought" && isEmpty(step));
  return isEmpty(step) || !isConversation(step.kind) || onlyCallsTools(step);
}

/** The summary of a step with only tool calls and no text starts with the first of these calls. */
function onlyCallsTools({ kind, gist }: StepFacts): boolean {
  return kind === "assistant" && CALL.test(gist);
}

const CALL = /^[\w.:-]{1,128}\((?:[{)]|null\))/;

function isEmpty({ gist }: StepFacts): boolean {
  return gist.trim() === "" || gist === "{}";
}

const CONVERSATION = new Set(["user", "assistant", "system", "question", "task", "final_step"]);
const ANSWER = /(^|_)(answer|prompt_user\w*|present_results|ask_person)(_action)?$/;

function isConversation(kind: string): boolean {
  return CONVERSATION.has(kind) || ANSWER.test(kind);
}

/** Hidden steps that the person asked to see, `from` and `to` included. */
export interface Revealed {
  from: number;
  to: number;
}

export function isRevealed(revealed: readonly Revealed[], index: number): boolean {
  return revealed.some(({ from, to }) => from <= index && index <= to);
}
