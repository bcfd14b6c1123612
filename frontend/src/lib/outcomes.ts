/** How a tape did its task, in words. */
export type Outcome = "pass" | "fail" | "";

export const OUTCOME_WORDS: Record<Outcome, string> = {
  pass: "Passed",
  fail: "Failed",
  "": "Not judged",
};

/** What a person may say of a tape, and the key that says it. */
export const VERDICTS: readonly { outcome: Outcome; keys: string }[] = [
  { outcome: "pass", keys: "P" },
  { outcome: "fail", keys: "F" },
  { outcome: "", keys: "U" },
];

/** How a tape stands: what was said of it, or, while nobody did, how its last run ended; while a
 * run is not over, what that does. */
export type Standing = Outcome | "error" | "running" | "waiting" | "paused";
