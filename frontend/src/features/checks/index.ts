/** Pass criteria, for Run N, regression tests and suites.
 *
 * - Check: a condition on the end of a run; without one, a person judges.
 * - Constraint: one named check of several that must all hold.
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
