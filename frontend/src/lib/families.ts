/** The families of steps as people see them: one more than the engine's, plus errors. */

export type VisualFamily =
  "communication" | "thought" | "action" | "observation" | "control" | "error";

export const FAMILY_WORDS: Record<VisualFamily, string> = {
  communication: "Communication",
  thought: "Thought",
  action: "Action",
  observation: "Observation",
  control: "Control",
  error: "Error",
};

const COMMUNICATION_KINDS = new Set(["call", "call_together", "respond", "broadcast"]);
const ERROR_ENDING = /(error|failure|exception)(_step|_action|_thought|_observation)?$/i;

/** The family that colors a step: delegation is communication, failures are errors. */
export function visualFamily(
  kind: string,
  family: "thought" | "action" | "observation" | "control",
  isError = false,
): VisualFamily {
  if (isError || ERROR_ENDING.test(kind)) return "error";
  if (COMMUNICATION_KINDS.has(kind.toLowerCase())) return "communication";
  return family;
}

export function familyColour(family: VisualFamily): string {
  return `var(--ts-family-${family})`;
}

const OBSERVATION =
  /(observation|_result|_failure|_output|_response)$|^(user|tool|task|question|system)$/;
const ACTION =
  /action$|^(assistant|final_step|tool_call|annotation|assistant_answer|exit|final_answer|finish|gaia_answer|stop|stop_step|submit|terminate)$|^(browse|click|download|drag|execute|fetch|goto|hover|input|invoke|navigate|open|press|query|run|scroll|search|send|submit|tap|type|upload|visit)_/;
const CONTROL = new Set(["call", "call_together", "respond", "broadcast", "set_next_node", "pass"]);

/** Guess the family of a step without a recorded one from its kind's name. */
export function guessFamily(kind: string): "thought" | "action" | "observation" | "control" {
  if (CONTROL.has(kind)) return "control";
  if (OBSERVATION.test(kind)) return "observation";
  if (kind.endsWith("thought")) return "thought";
  return ACTION.test(kind) ? "action" : "thought";
}
