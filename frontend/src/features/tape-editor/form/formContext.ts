/** What all fields of one form share. The object stays the same during typing. */
import { createContext, useContext } from "react";

import { NO_PROBLEMS, type Problems } from "@/features/tape-editor/form/problems";
import type { Schema } from "@/features/tape-editor/form/schema";

export interface FormState {
  /** The schema that references are resolved in. */
  root: Schema;
  /** The known tools that a call may name. */
  toolNames: readonly string[];
  /** The schema of a tool's arguments, if it is known. */
  toolSchema: (name: string) => Schema | undefined;
  /** `undefined` removes the field. */
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
