/** What a duration measures, in words: always stated as either time worked or time elapsed. */

/** Of LLM calls: imported tapes do not record how long their tools took. */
export const MODELS_WORKED =
  "How long models worked on its LLM calls, summed; tools and waiting do not count";

/** Of a run, tools included. */
export const RUN_WORKED = "How long the run worked; pauses and waiting do not count";

/** Of a job or a branch. */
export const ELAPSED = "From its start to its end; pauses and waiting count";
