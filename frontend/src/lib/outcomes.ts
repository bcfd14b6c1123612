/** How a tape did its task, in words. */
export type Outcome = "pass" | "fail" | "";

export const OUTCOME_WORDS: Record<Outcome, string> = {
  pass: "Passed",
  fail: "Failed",
  "": "Not judged",
};
