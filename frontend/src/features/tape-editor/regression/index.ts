/** A failing tape as a regression test: its frozen beginning, and what passes.
 *
 * - Suite: a dataset that holds such tests.
 */
export { RegressionTestHost } from "@/features/tape-editor/regression/RegressionTestHost";
export { useTestDialog } from "@/features/tape-editor/regression/useTestDialog";
