/** A table of any length: only the rows in view are drawn, and the next page loads on scroll. */
import { Checkbox } from "@mantine/core";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useRef, type ChangeEvent, type MouseEvent, type ReactNode } from "react";

import classes from "@/ui/DataTable.module.css";
import type { Column, HeadControls, Selection } from "@/ui/tableColumns";
import { TableHead } from "@/ui/TableHead";
import { flip, useCheckRange } from "@/ui/useCheckRange";

interface DataTableProps<Row> {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowId: (row: Row) => string;
  /** The row that j and k move to; scrolled into view. */
  activeId?: string | null;
  onRowClick?: (row: Row) => void;
  selection?: Selection;
  head?: HeadControls;
  /** In pixels: a table that is wider than its container scrolls; by default it fits itself in. */
  minWidth?: number;
  /** The rows are from an earlier request, because the current one cannot be answered. */
  isOutdated?: boolean;
  hasMore?: boolean;
  loadingMore?: boolean;
  onLoadMore?: () => void;
  footer?: ReactNode;
}

const ROW_HEIGHT = 32;
const ROWS_AHEAD = 20;

/** The least width of the columns that remain on a narrow screen, so that names have room. */
function leastWidth<Row>({
  columns,
  selection,
}: DataTableProps<Row>): Record<"--least-width" | "--phone-width", string> {
  const boxes = selection === undefined ? "0px" : "40px";
  const sum = (shown: readonly Column<Row>[]) => {
    const widths = shown.map(({ width = LEAST_NAME }) => (width === "" ? LEAST_NAME : width));
    return `calc(${[boxes, ...widths].join(" + ")})`;
  };
  return {
    "--least-width": sum(columns.filter(({ hideLevel = 3 }) => hideLevel === 3)),
    "--phone-width": sum(columns.filter(({ hideLevel }) => hideLevel === undefined)),
  };
}

const LEAST_NAME = "140px";

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
  const onCheck = useChecking(rows, rowId, selection);
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

  const isPinned = columns.some(({ pinnedAt }) => pinnedAt !== undefined);
  // If all columns have a width, an empty cell takes the rest of the line.
  const hasFiller = props.minWidth !== undefined;
  const before = items[0]?.start ?? 0;
  const after = virtual.getTotalSize() - (items.at(-1)?.end ?? 0);
  return (
    <div
      className={`ts-scroll ${classes.scroller}`}
      ref={scroller}
      tabIndex={-1}
      data-outdated={props.isOutdated || undefined}
      data-tour={props.label.toLowerCase()}
    >
      <table
        className={classes.table}
        aria-label={props.label}
        aria-rowcount={rows.length}
        style={{ ...leastWidth(props), minWidth: props.minWidth }}
      >
        <TableHead
          columns={columns}
          rows={rows}
          rowId={rowId}
          selection={selection}
          controls={props.head}
          checkIsPinned={isPinned}
          hasFiller={hasFiller}
        />
        <tbody>
          <Spacer height={before} />
          {items.map(({ index }) => {
            const row = rows[index];
            if (row === undefined) return null;
            const id = rowId(row);
            return (
              <BodyRow
                // Keyed by content: a click reaches the row that was pressed, even if the list
                // moved since.
                key={id}
                index={index}
                row={row}
                id={id}
                active={index === activeIndex}
                columns={columns}
                selection={selection}
                onCheck={onCheck}
                onRowClick={props.onRowClick}
                checkIsPinned={isPinned}
                hasFiller={hasFiller}
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

interface BodyRowProps<Row> {
  index: number;
  row: Row;
  id: string;
  active: boolean;
  columns: readonly Column<Row>[];
  selection: Selection | undefined;
  onCheck: (id: string, event: ChangeEvent<HTMLInputElement>) => void;
  onRowClick: ((row: Row) => void) | undefined;
  checkIsPinned: boolean;
  hasFiller: boolean;
}

function BodyRow<Row>({
  index,
  row,
  id,
  active,
  columns,
  selection,
  onCheck,
  onRowClick,
  checkIsPinned,
  hasFiller,
}: BodyRowProps<Row>) {
  return (
    // The row's first cell contains a real link or button; the row is a larger click target for it.
    <tr
      className={classes.row}
      aria-rowindex={index + 1}
      data-active={active || undefined}
      data-selected={selection?.ids.has(id) === true || undefined}
      data-clickable={onRowClick !== undefined || undefined}
      onClick={(event) => !isOnControl(event) && onRowClick?.(row)}
    >
      {selection !== undefined && (
        <td
          className={classes.check}
          data-pinned={checkIsPinned || undefined}
          style={checkIsPinned ? { left: 0 } : undefined}
        >
          <Checkbox
            aria-label={`Select ${selection.labelOf(id)}`}
            checked={selection.ids.has(id)}
            onChange={(event) => onCheck(id, event)}
          />
        </td>
      )}
      {columns.map((column) => (
        <td
          key={column.id}
          data-align={column.align}
          data-hide={column.hideLevel}
          data-pinned={column.pinnedAt !== undefined || undefined}
          style={column.pinnedAt === undefined ? undefined : { left: column.pinnedAt }}
        >
          {column.cell(row)}
        </td>
      ))}
      {hasFiller && <td className={classes.filler} />}
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

function useChecking<Row>(
  rows: readonly Row[],
  rowId: (row: Row) => string,
  selection: Selection | undefined,
) {
  const flipped = useCheckRange(rows.map(rowId), (id) => selection?.ids.has(id) === true);
  return (id: string, event: ChangeEvent<HTMLInputElement>) => {
    if (selection !== undefined) selection.onChange(flip(selection.ids, flipped(id, event)));
  };
}

/** A link, a button or a check box in the row has its own action. */
function isOnControl(event: MouseEvent): boolean {
  return event.target instanceof Element && event.target.closest("a,button,input,label") !== null;
}
