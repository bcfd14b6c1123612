/** A form that needs to know something first: what is asked for, or why it did not come. */
import type { ReactNode } from "react";

import { ErrorState, RowsSkeleton } from "@/ui/States";

/** Answers that are needed together; `allOf` gives them. */
interface Needed<Data> {
  data: Data | undefined;
  problem: string | null;
  retry: () => void;
}

interface LoadedFormProps<Data> {
  needed: Needed<Data>;
  /** About as many as the form has fields. */
  rows: number;
  /** The form; its first field says so with `data-autofocus`. */
  children: (data: Data) => ReactNode;
}

export function LoadedForm<Data>({ needed, rows, children }: LoadedFormProps<Data>) {
  const { data, problem, retry } = needed;
  if (data !== undefined) return <div ref={focusFirst}>{children(data)}</div>;
  if (problem === null) return <RowsSkeleton label="Loading the form" rows={rows} />;
  return <ErrorState title="The form could not be loaded" message={problem} onRetry={retry} />;
}

/** A dialog looks for its first field when it opens, and this form comes later. */
function focusFirst(form: HTMLElement | null): void {
  form?.querySelector<HTMLElement>("[data-autofocus]")?.focus();
}
