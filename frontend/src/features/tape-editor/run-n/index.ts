/** One tape forked many times from a step.
 *
 * - Experiment (Run N): all forks that were started together.
 * - Plan: places, arms, models, temperatures and repeats, before they are started.
 * - Arm: what is compared: the original or the edited tape.
 * - Branch: one fork and its run.
 * - Condition: the branches that differ only by chance.
 * - Check: decides whether a branch passes; without one, a person does.
 */
export { RunNHost } from "@/features/tape-editor/run-n/RunNHost";
export { useRunN } from "@/features/tape-editor/run-n/useRunN";
