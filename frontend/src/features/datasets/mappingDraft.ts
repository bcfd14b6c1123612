/** Which column of a file says what, as it is chosen, and the mapping that is sent. */
import type { ExampleFile, ExampleMapping } from "@/api/types";

export interface MappingDraft {
  message: string | null;
  expected: string | null;
  id: string | null;
  task: string | null;
  split: string | null;
  /** Of what passes. */
  check: string | null;
  /** Of what the environment is in at first. */
  state: string | null;
  metadata: string[];
  allIn: NonNullable<ExampleMapping["all_in"]>;
}

export const SPLITS = [
  { value: "", label: "None" },
  { value: "train", label: "Train" },
  { value: "validation", label: "Validation" },
  { value: "test", label: "Test" },
] as const;

/** What the names of the columns suggest. */
export function firstMapping({ suggested }: ExampleFile): MappingDraft {
  const said = (name: string | undefined) => (name === undefined || name === "" ? null : name);
  return {
    message: said(suggested?.message),
    expected: said(suggested?.expected),
    id: said(suggested?.id),
    task: said(suggested?.task),
    split: said(suggested?.split),
    check: said(suggested?.check),
    state: said(suggested?.state),
    metadata: [],
    allIn: "",
  };
}

/** `null`: no column is the message. */
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
    all_in: draft.allIn,
    metadata: draft.metadata,
  };
}

/** A name for the dataset, of that of the file. */
export function nameOf({ name }: ExampleFile): string {
  return name.replace(/(\.[a-z]+){1,2}$/i, "");
}
