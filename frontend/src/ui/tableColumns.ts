/** What a table of rows is told of its columns, its head and what is selected. */
import type { ReactNode } from "react";

export interface Column<Row> {
  id: string;
  header: ReactNode;
  /** CSS width; a column without one shares what is left. */
  width?: string;
  align?: "start" | "end";
  /** Left out where the table has little room: 1 first to go, 2 next, 3 on a phone. */
  hideLevel?: 1 | 2 | 3;
  cell: (row: Row) => ReactNode;
  /** The name of the column where its edge can be moved. */
  label?: string;
  /** What it holds, on hover. */
  hint?: string;
  /** The order that its header asks for; left out: there is none. */
  sort?: string;
  /** Stays in view so far from the start, in pixels. */
  pinnedAt?: number;
}

/** What the head of a table can do. */
export interface HeadControls {
  sort: { column: string; isDescending: boolean } | null;
  onSort: (columnId: string) => void;
  /** Widths in pixels, by column: the one that was resized, and those that had none. */
  onResize?: (widths: Readonly<Record<string, number>>) => void;
}

export interface Selection {
  ids: ReadonlySet<string>;
  onChange: (ids: ReadonlySet<string>) => void;
  labelOf: (id: string) => string;
}
