/** A table of any length: only the rows in sight are drawn, the next page comes on scroll. */
import { Checkbox } from "@mantine/core";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useRef, type MouseEvent, type ReactNode } from "react";

import classes from "@/ui/DataTable.module.css";

export interface Column<Row> {
  id: string;
  header: ReactNode;
  /** CSS width; a column without one shares what is left. */
  width?: string;
  align?: "start" | "end";
  /** Left out below this width of the window: 1 first to go, 2 next. */
  hideLevel?: 1 | 2;
  cell: (row: Row) => ReactNode;
}

interface DataTableProps<Row> {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowId: (row: Row) => string;
  /** The row that j and k move; scrolled into view. */
  activeId?: string | null;
  onRowClick?: (row: Row) => void;
  selection?: Selection;
  hasMore?: boolean;
  loadingMore?: boolean;
  onLoadMore?: () => void;
  footer?: ReactNode;
}

export interface Selection {
  ids: ReadonlySet<string>;
  onChange: (ids: ReadonlySet<string>) => void;
  labelOf: (id: string) => string;
}

const ROW_HEIGHT = 32;
const ROWS_AHEAD = 20;

export function DataTable<Row>(props: DataTableProps<Row>) {
  const { columns, rows, rowId, activeId, selection, hasMore, loadingMore, onLoadMore } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 8,
  });
  const items = virtual.getVirtualItems();
  const lastDrawn = items.at(-1)?.index ?? 0;

  useEffect(() => {
    if (hasMore === true && loadingMore !== true && lastDrawn >= rows.length - ROWS_AHEAD) {
      onLoadMore?.();
    }
  }, [hasMore, loadingMore, lastDrawn, rows.length, onLoadMore]);

  const activeIndex =
    activeId === undefined || activeId === null
      ? -1
      : rows.findIndex((row) => rowId(row) === activeId);
  useEffect(() => {
    if (activeIndex >= 0) virtual.scrollToIndex(activeIndex, { align: "auto" });
  }, [activeIndex, virtual]);

  const before = items[0]?.start ?? 0;
  const after = virtual.getTotalSize() - (items.at(-1)?.end ?? 0);
  return (
    <div
      className={classes.scroller}
      ref={scroller}
      tabIndex={-1}
      data-tour={props.label.toLowerCase()}
    >
      <table className={classes.table} aria-label={props.label} aria-rowcount={rows.length}>
        <Head columns={columns} rows={rows} rowId={rowId} selection={selection} />
        <tbody>
          <Spacer height={before} />
          {items.map(({ index, key }) => {
            const row = rows[index];
            if (row === undefined) return null;
            return (
              <BodyRow
                key={key}
                index={index}
                row={row}
                id={rowId(row)}
                active={index === activeIndex}
                columns={columns}
                selection={selection}
                onRowClick={props.onRowClick}
              />
            );
          })}
          <Spacer height={after} />
        </tbody>
      </table>
      {loadingMore === true && (
        <div className={classes.more} role="status">
          Loading more…
        </div>
      )}
      {props.footer}
    </div>
  );
}

interface HeadProps<Row> {
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowId: (row: Row) => string;
  selection: Selection | undefined;
}

function Head<Row>({ columns, rows, rowId, selection }: HeadProps<Row>) {
  const all = rows.length > 0 && selection !== undefined && selection.ids.size >= rows.length;
  return (
    <thead className={classes.head}>
      <tr>
        {selection !== undefined && (
          <th scope="col" className={classes.check}>
            <Checkbox
              aria-label="Select all loaded rows"
              checked={all}
              indeterminate={!all && selection.ids.size > 0}
              onChange={() => selection.onChange(new Set(all ? [] : rows.map(rowId)))}
            />
          </th>
        )}
        {columns.map((column) => (
          <th
            key={column.id}
            scope="col"
            data-align={column.align}
            data-hide={column.hideLevel}
            style={{ width: column.width }}
          >
            {column.header}
          </th>
        ))}
      </tr>
    </thead>
  );
}

interface BodyRowProps<Row> {
  index: number;
  row: Row;
  id: string;
  active: boolean;
  columns: readonly Column<Row>[];
  selection: Selection | undefined;
  onRowClick: ((row: Row) => void) | undefined;
}

function BodyRow<Row>({
  index,
  row,
  id,
  active,
  columns,
  selection,
  onRowClick,
}: BodyRowProps<Row>) {
  return (
    // The row's first cell holds a real link or button; the click is a larger target for it.
    <tr
      className={classes.row}
      aria-rowindex={index + 1}
      data-active={active || undefined}
      data-selected={selection?.ids.has(id) === true || undefined}
      data-clickable={onRowClick !== undefined || undefined}
      onClick={(event) => !isOnControl(event) && onRowClick?.(row)}
    >
      {selection !== undefined && (
        <td className={classes.check}>
          <Checkbox
            aria-label={`Select ${selection.labelOf(id)}`}
            checked={selection.ids.has(id)}
            onChange={() => selection.onChange(toggled(selection.ids, id))}
          />
        </td>
      )}
      {columns.map((column) => (
        <td key={column.id} data-align={column.align} data-hide={column.hideLevel}>
          {column.cell(row)}
        </td>
      ))}
    </tr>
  );
}

/** One cell only: a `colSpan` would bring hidden columns back. */
function Spacer({ height }: { height: number }) {
  if (height <= 0) return null;
  return (
    <tr aria-hidden="true">
      <td style={{ height, padding: 0, border: 0 }} />
    </tr>
  );
}

function toggled(ids: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(ids);
  if (!next.delete(id)) next.add(id);
  return next;
}

/** A link, a button or a check box in the row does its own thing. */
function isOnControl(event: MouseEvent): boolean {
  return event.target instanceof Element && event.target.closest("a,button,input,label") !== null;
}
