/** Errors that are fixed under Models. */
const FIXED_UNDER_MODELS = new Set([
  "model_key_missing",
  "model_key_retired",
  "model_missing",
  "key_unreadable",
]);

export function isModelProblem(code: string): boolean {
  return FIXED_UNDER_MODELS.has(code);
}
