/** A regression test made from a failing tape: its frozen beginning, and what passes.
 *
 * - Suite: a dataset that contains such tests.
 */
export { RegressionTestHost } from "@/features/tape-editor/regression/RegressionTestHost";
export { useTestDialog } from "@/features/tape-editor/regression/useTestDialog";
