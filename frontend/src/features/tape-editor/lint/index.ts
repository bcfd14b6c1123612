/** The linter's findings on the tape.
 *
 * - Finding: a problem that a detector found at a step.
 * - Kept finding: a finding that a person saved as a note.
 */
export { FindingBadge, FindingLines } from "@/features/tape-editor/lint/FindingBadge";
export { LintProvider, useTapeLint } from "@/features/tape-editor/lint/LintProvider";
export { LintSummary } from "@/features/tape-editor/lint/LintSummary";
