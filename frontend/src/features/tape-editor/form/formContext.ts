/** What all fields of one form share. It stays the same object while one types. */
import { createContext, useContext } from "react";

import { NO_PROBLEMS, type Problems } from "@/features/tape-editor/form/problems";
import type { Schema } from "@/features/tape-editor/form/schema";

export interface FormState {
  /** Where references in schemas lead. */
  root: Schema;
  /** The tools that a call may name, as far as they are known. */
  toolNames: readonly string[];
  /** The schema of a tool's arguments, where it is known. */
  toolSchema: (name: string) => Schema | undefined;
  /** `undefined` takes the place out. */
  onChange: (pointer: string, value: unknown) => void;
}

const FormContext = createContext<FormState | null>(null);
export const FormProvider = FormContext.Provider;

export function useForm(): FormState {
  const form = useContext(FormContext);
  if (form === null) throw new Error("A field must be rendered inside a form.");
  return form;
}

const ProblemsContext = createContext<Problems>(NO_PROBLEMS);
export const ProblemsProvider = ProblemsContext.Provider;

export function useProblems(): Problems {
  return useContext(ProblemsContext);
}
