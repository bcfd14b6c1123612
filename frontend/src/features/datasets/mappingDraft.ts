/** The mapping of a file's columns as chosen, and the mapping in the API's format. */
import type { ExampleFile, ExampleMapping } from "@/api/types";

export interface MappingDraft {
  message: string | null;
  expected: string | null;
  id: string | null;
  task: string | null;
  split: string | null;
  /** The column with the pass criterion. */
  check: string | null;
  /** The column with the initial state of the environment. */
  state: string | null;
  /** The column with the instruction that is planted into a run. */
  attack: string | null;
  metadata: string[];
  allIn: NonNullable<ExampleMapping["all_in"]>;
}

export const SPLITS = [
  { value: "", label: "None" },
  { value: "train", label: "Train" },
  { value: "validation", label: "Validation" },
  { value: "test", label: "Test" },
] as const;

/** The mapping that the column names suggest. */
export function firstMapping({ suggested }: ExampleFile): MappingDraft {
  const columnOf = (name: string | undefined) => (name === undefined || name === "" ? null : name);
  return {
    message: columnOf(suggested?.message),
    expected: columnOf(suggested?.expected),
    id: columnOf(suggested?.id),
    task: columnOf(suggested?.task),
    split: columnOf(suggested?.split),
    check: columnOf(suggested?.check),
    state: columnOf(suggested?.state),
    attack: columnOf(suggested?.attack),
    metadata: [],
    allIn: "",
  };
}

/** `null` while no column is chosen as the message. */
export function readMapping(draft: MappingDraft): ExampleMapping | null {
  if (draft.message === null) return null;
  return {
    message: draft.message,
    expected: draft.expected ?? "",
    id: draft.id ?? "",
    task: draft.task ?? "",
    split: draft.split ?? "",
    check: draft.check ?? "",
    state: draft.state ?? "",
    attack: draft.attack ?? "",
    all_in: draft.allIn,
    metadata: draft.metadata,
  };
}

/** A name for the dataset, taken from the file's name. */
export function nameOf({ name }: ExampleFile): string {
  return name.replace(/(\.[a-z]+){1,2}$/i, "");
}
