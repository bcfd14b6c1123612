/** The head of a table: names that sort, edges that resize. */
import { Checkbox } from "@mantine/core";
import { IconArrowDown, IconArrowUp } from "@tabler/icons-react";
import { useRef, type KeyboardEvent, type PointerEvent } from "react";

import type { Column, HeadControls, Selection } from "@/ui/tableColumns";
import classes from "@/ui/DataTable.module.css";

const STEP = 16;

interface TableHeadProps<Row> {
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowId: (row: Row) => string;
  selection: Selection | undefined;
  controls: HeadControls | undefined;
  /** To the left of the pinned columns. */
  checkIsPinned: boolean;
  hasFiller: boolean;
}

export function TableHead<Row>(props: TableHeadProps<Row>) {
  const { columns, rows, rowId, selection, controls } = props;
  return (
    <thead className={classes.head}>
      <tr>
        {selection !== undefined && (
          <th
            scope="col"
            className={classes.check}
            data-pinned={props.checkIsPinned || undefined}
            style={props.checkIsPinned ? { left: 0 } : undefined}
          >
            <SelectAll selection={selection} ids={rows.map(rowId)} />
          </th>
        )}
        {columns.map((column) => (
          <HeadCell key={column.id} column={column} controls={controls} />
        ))}
        {props.hasFiller && <td className={classes.filler} />}
      </tr>
    </thead>
  );
}

/** Selects the rows that are loaded; other selected rows stay selected. */
function SelectAll({ selection, ids }: { selection: Selection; ids: readonly string[] }) {
  const loaded = new Set(ids);
  const others = [...selection.ids].filter((id) => !loaded.has(id));
  const count = selection.ids.size - others.length;
  const isAll = ids.length > 0 && count === ids.length;
  return (
    <Checkbox
      aria-label="Select all loaded rows"
      checked={isAll}
      indeterminate={!isAll && count > 0}
      onChange={() => selection.onChange(new Set(isAll ? others : [...others, ...ids]))}
    />
  );
}

interface HeadCellProps<Row> {
  column: Column<Row>;
  controls: HeadControls | undefined;
}

function HeadCell<Row>({ column, controls }: HeadCellProps<Row>) {
  const current = controls?.sort ?? undefined;
  const sorted = current?.column === column.sort ? current : undefined;
  const canSort = controls !== undefined && column.sort !== undefined;
  return (
    <th
      scope="col"
      aria-label={column.label}
      data-column={column.id}
      data-align={column.align}
      data-hide={column.hideLevel}
      data-pinned={column.pinnedAt !== undefined || undefined}
      style={{ width: column.width, left: column.pinnedAt }}
      title={column.hint}
      aria-sort={
        !canSort || sorted === undefined
          ? undefined
          : sorted.isDescending
            ? "descending"
            : "ascending"
      }
    >
      {canSort ? (
        <button
          type="button"
          className={`ts-inline ${classes.sort}`}
          data-sorted={sorted !== undefined || undefined}
          onClick={() => controls.onSort(column.id)}
        >
          <span className="ts-truncate">{column.header}</span>
          {sorted !== undefined && (sorted.isDescending ? <Down /> : <Up />)}
        </button>
      ) : (
        column.header
      )}
      {controls?.onResize !== undefined && column.label !== undefined && (
        <ResizeEdge id={column.id} label={column.label} onResize={controls.onResize} />
      )}
    </th>
  );
}

const Down = () => <IconArrowDown size={12} stroke={2} aria-hidden="true" />;
const Up = () => <IconArrowUp size={12} stroke={2} aria-hidden="true" />;

interface ResizeEdgeProps {
  id: string;
  label: string;
  onResize: NonNullable<HeadControls["onResize"]>;
}

/** The edge of a column: dragged with the mouse, moved with the arrow keys. */
function ResizeEdge({ id, label, onResize }: ResizeEdgeProps) {
  const pulled = useRef<{ from: number; width: number } | null>(null);
  const cellOf = (edge: Element) => edge.closest("th");
  const send = (edge: Element, width: number) => {
    const head = edge.closest("tr");
    // Columns without a width would otherwise take the room of the one being resized.
    const widths = [...(head?.querySelectorAll<HTMLElement>("th[data-column]") ?? [])]
      .filter((cell) => cell.style.width === "")
      .map((cell): [string, number] => [cell.dataset.column ?? "", cell.offsetWidth]);
    onResize({ ...Object.fromEntries(widths), [id]: width });
  };
  const onKeyDown = (event: KeyboardEvent<HTMLButtonElement>) => {
    const by = { ArrowLeft: -STEP, ArrowRight: STEP }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    send(event.currentTarget, (cellOf(event.currentTarget)?.offsetWidth ?? 0) + by);
  };
  const onPointerDown = (event: PointerEvent<HTMLButtonElement>) => {
    if (event.button !== 0) return;
    event.preventDefault();
    event.currentTarget.setPointerCapture(event.pointerId);
    const width = cellOf(event.currentTarget)?.offsetWidth ?? 0;
    pulled.current = { from: event.clientX, width };
    event.currentTarget.dataset.pulled = "true";
  };
  const onPointerMove = ({ currentTarget: edge, clientX }: PointerEvent<HTMLButtonElement>) => {
    // Only the edge moves along; the table is laid out once, at the end.
    if (pulled.current !== null) {
      edge.style.transform = `translateX(${clientX - pulled.current.from}px)`;
    }
  };
  const onPointerUp = ({ currentTarget: edge, clientX }: PointerEvent<HTMLButtonElement>) => {
    const { current } = pulled;
    pulled.current = null;
    edge.style.transform = "";
    delete edge.dataset.pulled;
    if (current !== null && clientX !== current.from) {
      send(edge, current.width + clientX - current.from);
    }
  };
  return (
    <button
      type="button"
      aria-label={`Width of ${label}`}
      title="Drag, or use the arrow keys"
      className={classes.edge}
      onKeyDown={onKeyDown}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={onPointerUp}
      onPointerCancel={onPointerUp}
    />
  );
}
