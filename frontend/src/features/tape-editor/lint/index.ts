/** What the linter says of the tape.
 *
 * - Finding: one thing that a rule found at a step.
 * - Kept finding: a finding that a person made a note of.
 */
export { FindingBadge, FindingLines } from "@/features/tape-editor/lint/FindingBadge";
export { LintProvider, useTapeLint } from "@/features/tape-editor/lint/LintProvider";
export { LintSummary } from "@/features/tape-editor/lint/LintSummary";
