/** One run of the agent on this tape.
 *
 * - Run bar: resumes the agent, and steers it while it runs.
 * - Run job: the run that the editor watches; it may be waiting or paused.
 * - Setup: the choice, with the agents, models, estimate and fit that belong to it.
 * - Fit: whether the chosen agent can continue from these steps.
 * - Place: where the run would continue.
 * - Reply: a person's answer to a waiting agent. Steer: a message for its next turn.
 * - Unheard: messages that the agent has not read yet.
 */
export { AgentFields } from "@/features/tape-editor/run/AgentFields";
export { BreakpointItems } from "@/features/tape-editor/run/BreakpointItems";
export { BudgetFields } from "@/features/tape-editor/run/BudgetFields";
export { estimateQuery } from "@/features/tape-editor/run/queries";
export { RunBar } from "@/features/tape-editor/run/RunBar";
export { ToolPolicies } from "@/features/tape-editor/run/ToolPolicies";
export { useToolLines } from "@/features/tape-editor/run/toolLines";
export { UntilFields } from "@/features/tape-editor/run/UntilFields";
export { useLiveRun } from "@/features/tape-editor/run/useLiveRun";
export { usePausedAt } from "@/features/tape-editor/run/usePausedAt";
export { type RunSetup, useRunSetup } from "@/features/tape-editor/run/useRunSetup";
