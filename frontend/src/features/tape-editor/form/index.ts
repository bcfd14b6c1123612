/** Forms built from schemas.
 *
 * - Schema: the JSON schema of a step's kind, of a tool's arguments or of an agent's metadata.
 * - Field: one value of the form, identified by a JSON pointer.
 * - Was: the recorded value of a field, next to the changed one.
 * - Problem: what the schema or the server rejects about a field.
 * - Tape form: the title, with the recorded context and metadata folded below it.
 * - Step form: a step edited in place. Insert dialog: asks which kind of step to insert.
 */
export { stepKindsQuery, toolsQuery } from "@/features/tape-editor/form/api";
export { InsertDialog } from "@/features/tape-editor/form/InsertDialog";
export { SchemaForm } from "@/features/tape-editor/form/SchemaForm";
export { StepForm } from "@/features/tape-editor/form/StepForm";
export { blankData } from "@/features/tape-editor/form/stepJson";
export { TapeForm, useIsTapeEdited } from "@/features/tape-editor/form/TapeForm";
