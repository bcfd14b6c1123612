/** A form that must load data first: a skeleton while it loads, an error if that fails. */
import type { ReactNode } from "react";

import { ErrorState, RowsSkeleton } from "@/ui/States";

/** Queries that are needed together, from `allOf`. */
interface Needed<Data> {
  data: Data | undefined;
  problem: string | null;
  retry: () => void;
}

interface LoadedFormProps<Data> {
  needed: Needed<Data>;
  /** About the number of fields in the form. */
  rows: number;
  /** The form; its first field is marked with `data-autofocus`. */
  children: (data: Data) => ReactNode;
}

export function LoadedForm<Data>({ needed, rows, children }: LoadedFormProps<Data>) {
  const { data, problem, retry } = needed;
  if (data !== undefined) return <div ref={focusFirst}>{children(data)}</div>;
  if (problem === null) return <RowsSkeleton label="Loading the form" rows={rows} />;
  return <ErrorState title="The form could not be loaded" message={problem} onRetry={retry} />;
}

/** A dialog looks for its first field when it opens, and this form appears later. */
function focusFirst(form: HTMLElement | null): void {
  form?.querySelector<HTMLElement>("[data-autofocus]")?.focus();
}
