/** Kinds by which a dialogue about a form is told; a test compares them with the server's. */
const FORM_KINDS = new Set([
  "answer_from_function_schema_thought",
  "call_function_action",
  "function_candidates",
  "function_schema",
  "gather_values_thought",
  "inspect_function_action",
  "no_answer_in_function_schema_thought",
  "prompt_user_for_text_message_action",
  "refuse_inexistent_function_parameter_thought",
  "refuse_inexistent_function_thought",
  "refuse_invalid_function_parameter_skip_thought",
  "refuse_invalid_function_parameter_value_thought",
  "refuse_skipping_parameter_thought",
  "refuse_to_engage_thought",
  "request_exit_confirmation_thought",
  "request_function_call_confirmation_thought",
  "request_function_parameters_thought",
  "request_function_thought",
  "resolve_function_action",
  "update_function_parameters_thought",
  "verify_values_thought",
]);

export function isFormKind(kind: string): boolean {
  return FORM_KINDS.has(kind);
}
