/** The open tape, or its beginning up to a step, in datasets. */
export { DatasetChoice } from "@/features/tape-editor/datasets/DatasetChoice";
