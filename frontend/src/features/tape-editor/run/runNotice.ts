/** How the last run ended, in a sentence, and what can be done about it: pure. */
import type { Job, RunResult } from "@/api/types";
import type { RunChoice } from "@/features/tape-editor/choice";
import { isModelProblem } from "@/features/tape-editor/run/modelProblems";

export type NoticeTone = "good" | "note" | "warn" | "bad";

/** `retry` and `goOn`: the same run again from where it broke. `raise`: with twice the budget. */
export type NoticeAction = "retry" | "goOn" | "raise" | "models";

export interface Notice {
  tone: NoticeTone;
  title: string;
  sentence: string;
  actions: readonly NoticeAction[];
}

type Ended = Pick<Job, "state" | "message" | "error_code" | "cancelled_by" | "run">;

/** `null` while the run continues. */
export function noticeOf(job: Ended): Notice | null {
  switch (job.state) {
    case "failed":
      return failure(job);
    case "cancelled":
      return {
        tone: "note",
        title: job.cancelled_by === "" ? "Stopped" : `Stopped by ${job.cancelled_by}`,
        sentence: `Finished steps and the partial step are kept.${cutSentence(job)}`,
        actions: [],
      };
    case "succeeded":
      return success(job);
    case "queued":
    case "running":
    case "waiting":
    case "paused":
      return null;
  }
}

/** Names the tools that were interrupted, and those that may still be running outside. */
function cutSentence({ run }: Ended): string {
  const cut = run?.cut_actions ?? [];
  const nameAll = (some: typeof cut) => [...new Set(some.map(({ tool }) => tool))].join(", ");
  const left = cut.filter(({ is_left_behind: isLeft }) => isLeft);
  const interrupted =
    cut.length === 0 ? "" : ` Interrupted before its result arrived: ${nameAll(cut)}.`;
  if (left.length === 0) return interrupted;
  return `${interrupted} ${nameAll(left)} could not be stopped and may still be running.`;
}

function failure({ message, error_code: code, run }: Ended): Notice {
  const sentence = message === "" ? "See its log for details." : message;
  if (isModelProblem(code)) {
    return { tone: "bad", title: "No model", sentence, actions: ["models", "retry"] };
  }
  if (code === "loop_limit") {
    return { tone: "warn", title: "Turn limit reached", sentence, actions: ["goOn"] };
  }
  return { tone: "bad", title: failedPart(code, run), sentence, actions: ["retry"] };
}

function failedPart(code: string, run: Ended["run"]): string {
  if (run === null || run.status === "unopened") return "The run could not start";
  return code.startsWith("llm_") ? "The model failed" : "The run failed";
}

function success({ message, run }: Ended): Notice | null {
  switch (run?.status) {
    case "budget":
      return { tone: "warn", title: "Budget reached", sentence: message, actions: ["raise"] };
    case "no_actions":
      return { tone: "note", title: "The turn ended", sentence: message, actions: [] };
    case "until":
      return { tone: "good", title: "Stopped as requested", sentence: message, actions: [] };
    case "ok":
    case "finished":
    case "external_input_needed":
      return { tone: "good", title: "Finished", sentence: message, actions: [] };
    default:
      return null;
  }
}

type Budgets = Pick<RunChoice, "budgetTokens" | "budgetDollars" | "budgetMinutes">;

/** Doubles each limit that is set, and makes room for the call that did not fit. */
export function raised(choice: Budgets, run: RunResult | null): Budgets {
  const refused = run?.refused_call;
  const twice = (limit: number | null, least = 0) =>
    limit === null ? null : Math.max(limit * 2, least);
  return {
    budgetTokens: twice(choice.budgetTokens, refused?.tokens),
    budgetDollars: twice(choice.budgetDollars, (refused?.micro_usd ?? 0) / 1_000_000),
    budgetMinutes: twice(choice.budgetMinutes),
  };
}
