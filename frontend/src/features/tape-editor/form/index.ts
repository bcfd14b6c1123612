/** Forms that are made from schemas.
 *
 * - Schema: the JSON schema of a step's kind, of a tool's arguments or of an agent's metadata.
 * - Field: one value of the form, named by a JSON pointer.
 * - Was: the recorded value of a field, beside the changed one.
 * - Problem: what the schema or the server refuses of a field.
 * - Tape form: the title, and folded below it the context and the metadata as they were recorded.
 * - Step form: a step edited in place. Insert dialog: which kind of step to insert.
 */
export { stepKindsQuery, toolsQuery } from "@/features/tape-editor/form/api";
export { InsertDialog } from "@/features/tape-editor/form/InsertDialog";
export { SchemaForm } from "@/features/tape-editor/form/SchemaForm";
export { StepForm } from "@/features/tape-editor/form/StepForm";
export { blankData } from "@/features/tape-editor/form/stepJson";
export { TapeForm, useIsTapeEdited } from "@/features/tape-editor/form/TapeForm";
