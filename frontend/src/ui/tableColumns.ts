/** The columns of a table, the controls of its head, and its selection. */
import type { ReactNode } from "react";

export interface Column<Row> {
  id: string;
  header: ReactNode;
  /** CSS width; columns without one share what is left. */
  width?: string;
  align?: "start" | "end";
  /** Hidden where the table has little room: 1 first, 2 next, 3 on a phone. */
  hideLevel?: 1 | 2 | 3;
  cell: (row: Row) => ReactNode;
  /** The column's name for its resize handle; omitted if it cannot be resized. */
  label?: string;
  /** A description, shown on hover. */
  hint?: string;
  /** The order that a click on its header selects; omitted if there is none. */
  sort?: string;
  /** Pinned at this distance from the start, in pixels. */
  pinnedAt?: number;
}

/** The controls in the head of a table. */
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
