/** What passes: typed in Run N, in regression tests and in suites.
 *
 * - Check: what is asked of the end of a run; a person where there is none.
 * - Constraint: one named check of several that all have to hold.
 */
export { CheckFields } from "@/features/checks/CheckFields";
export { JudgeFields, KindFields } from "@/features/checks/KindFields";
export { NamedFieldset } from "@/features/checks/NamedFieldset";
export {
  CONSTRAINT_KINDS,
  findCheckProblem,
  firstCheck,
  fromCheck,
  NO_CHECK,
  TEST_KINDS,
  toCheck,
  toSingleCheck,
  toTestCheck,
  type TypedCheck,
} from "@/features/checks/typedCheck";
