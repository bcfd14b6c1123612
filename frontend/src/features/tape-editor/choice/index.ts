/** What the next run should be.
 *
 * - Choice: agent, model, parameters, tools, budget and where to stop, as a person chose them.
 * - Part: the options that one panel changes, counted and reset together.
 * - Policy: what answers a tool: live, recorded, a mock, or a person.
 * - Breakpoint: where the run pauses.
 * - Kept choice: what the browser remembers of it for the next visit; models for each agent.
 */
export {
  keepChoice,
  keepEstimate,
  loadChoice,
  loadEstimate,
} from "@/features/tape-editor/choice/keptChoices";
export { keepModel, loadModel, loadNewestModel } from "@/features/tape-editor/choice/keptModels";
export {
  AS_AGENT,
  type BudgetChoice,
  changesIn,
  countChanges,
  DEFAULT_CHOICE,
  type OptionPart,
  policyOf,
  readParameters,
  resetOptions,
  type RunChoice,
  runOptions,
  toBudget,
  toggleBreakpoint,
  unansweredMocks,
  withMadeWith,
  withPolicy,
} from "@/features/tape-editor/choice/runChoice";
