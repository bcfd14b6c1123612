/** Lenses as the page uses them: built-in ones, and those that people save. */
import type { Lens as StoredLens, LensIn } from "@/api/types";
import type { VisibleColumn, TableLook } from "@/features/tapes/table/look";
import { COLUMN_IDS } from "@/features/tapes/table/tapeColumns";
import { readListState, UNFILTERED, writeListState } from "@/features/tapes/useTapeFilter";

export interface LensView extends TableLook {
  /** The conditions of the list, as query parameters. */
  query: string;
}

export interface Lens {
  id: string;
  name: string;
  look: LensView;
  /** Opens failing tapes at their first error. */
  opensAtError: boolean;
  /** `null` for a built-in lens. */
  stored: StoredLens | null;
}

type Conditions = Partial<Omit<ReturnType<typeof readListState>, "row">>;

const bare = (ids: readonly string[]): VisibleColumn[] =>
  ids.map((id) => ({ id, width: null, isPinned: false }));

const builtIn = (
  id: string,
  name: string,
  look: Partial<TableLook> & { conditions?: Conditions } = {},
): Lens => ({
  id,
  name,
  look: {
    query: writeListState({ ...UNFILTERED, ...look.conditions, row: "" }).toString(),
    sort: look.sort ?? "",
    columns: look.columns ?? [],
    marks: look.marks ?? [],
  },
  opensAtError: id === "errors",
  stored: null,
});

export const ALL_LENS = builtIn("all", "All");

export const BUILT_IN: readonly Lens[] = [
  ALL_LENS,
  builtIn("errors", "Errors", {
    conditions: { hasError: true },
    columns: bare(["title", "errors", "steps", "agent", "outcome", "duration", "created"]),
  }),
  builtIn("cost", "Cost", {
    sort: "-cost",
    columns: bare([
      "title", "agent", "calls", "input", "cache", "output", "cost", "duration", "created",
    ]), // prettier-ignore
  }),
  builtIn("outcomes", "Outcomes", {
    columns: bare([
      "title", "task", "expected", "actual", "outcome", "score", "errors", "created",
    ]), // prettier-ignore
  }),
];

export function fromStored(stored: StoredLens): Lens {
  const { query, sort, columns = [], marks = [] } = stored.look;
  return {
    id: stored.id,
    name: stored.name,
    look: {
      query: cleanQuery(query),
      sort,
      columns: columns
        .filter(({ id }) => COLUMN_IDS.has(id))
        .map(({ id, width = null, is_pinned: isPinned }) => ({ id, width, isPinned })),
      marks,
    },
    opensAtError: readListState(new URLSearchParams(query)).hasError,
    stored,
  };
}

export function toStored({ query, sort, columns, marks }: LensView): NonNullable<LensIn["look"]> {
  return {
    query,
    sort,
    columns: columns.map(({ id, width, isPinned }) => ({ id, width, is_pinned: isPinned })),
    marks: [...marks],
  };
}

/** Keeps only known parameters: a saved address may be older than the page, or written by hand. */
export function cleanQuery(query: string): string {
  return conditionsOf(new URLSearchParams(query));
}

/** The conditions in an address, without the row that was opened last. */
export function conditionsOf(params: URLSearchParams): string {
  return writeListState({ ...readListState(params), row: "" }).toString();
}
