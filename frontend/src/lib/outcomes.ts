/** Whether a tape accomplished its task, in words. */
export type Outcome = "pass" | "fail" | "";

export const OUTCOME_WORDS: Record<Outcome, string> = {
  pass: "Passed",
  fail: "Failed",
  "": "Not judged",
};

/** The outcomes that a person may give a tape, with their keys. */
export const VERDICTS: readonly { outcome: Outcome; keys: string }[] = [
  { outcome: "pass", keys: "P" },
  { outcome: "fail", keys: "F" },
  { outcome: "", keys: "U" },
];

/**
 * The state of a tape: its outcome, or, while nobody judged it, how its last run ended; while a run
 * is not over, the state of the run.
 */
export type Standing = Outcome | "error" | "running" | "waiting" | "paused";
