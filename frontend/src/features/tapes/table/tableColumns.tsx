/** The visible columns in the form that the table draws: offsets of pinned ones, marks in cells. */
import { IconAlertTriangle, IconCircleCheck, IconFlag } from "@tabler/icons-react";
import type { ReactNode } from "react";

import type { TapeRow } from "@/api/types";
import {
  areColumnsEqual,
  findMark,
  type Mark,
  type VisibleColumn,
  type TableLook,
  type Tone,
} from "@/features/tapes/table/look";
import classes from "@/features/tapes/table/table.module.css";
import {
  DEFAULT_COLUMNS,
  findColumn,
  TITLE_ID,
  type TapeColumn,
} from "@/features/tapes/table/tapeColumns";
import { TitleCell } from "@/features/tapes/table/TitleCell";
import type { Column } from "@/ui/tableColumns";

const CHECK_WIDTH = 40;
const EDGE_PADDING = 16;

export interface DrawnTable {
  columns: Column<TapeRow>[];
  /** Omitted while the default columns are shown: the table then fits itself in. */
  minWidth?: number;
}

interface Opening {
  addressOf: (row: TapeRow) => string;
  onOpen: (row: TapeRow) => void;
}

export function drawTable(look: TableLook, opening: Opening): DrawnTable {
  const isOwn = look.columns.length === 0 || areColumnsEqual(look.columns, DEFAULT_COLUMNS);
  const shown = isOwn ? DEFAULT_COLUMNS : look.columns;
  const columns: Column<TapeRow>[] = [];
  let end = CHECK_WIDTH;
  for (const part of shown) {
    const column = findColumn(part.id);
    if (column === undefined) continue;
    columns.push(drawColumn(column, part, { look, opening, isOwn, start: end }));
    end += widthOf(column, part);
  }
  return isOwn ? { columns } : { columns, minWidth: end + EDGE_PADDING };
}

export function widthOf(column: TapeColumn, part: VisibleColumn): number {
  return part.width ?? column.width;
}

interface Drawing {
  look: TableLook;
  opening: Opening;
  isOwn: boolean;
  /** The column's distance from the start of the row, in pixels. */
  start: number;
}

function drawColumn(
  column: TapeColumn,
  part: VisibleColumn,
  { look, opening, isOwn, start }: Drawing,
): Column<TapeRow> {
  const isTitle = column.id === TITLE_ID;
  return {
    id: column.id,
    label: column.label,
    header: column.label,
    cell: (row) =>
      marked(
        isTitle ? (
          <TitleCell row={row} address={opening.addressOf(row)} onOpen={opening.onOpen} />
        ) : (
          column.cell(row)
        ),
        findMark(look.marks, column.id, column.value?.(row) ?? null),
      ),
    ...(column.hint === undefined ? {} : { hint: column.hint }),
    ...(column.align === undefined ? {} : { align: column.align }),
    ...(column.sort === undefined ? {} : { sort: column.sort }),
    ...(isOwn && isTitle ? {} : { width: `${widthOf(column, part)}px` }),
    ...(isOwn && column.hideLevel !== undefined ? { hideLevel: column.hideLevel } : {}),
    ...(part.isPinned ? { pinnedAt: start } : {}),
  };
}

/** A mark has a color and an icon, and describes its condition on hover and to screen readers. */
function marked(cell: ReactNode, mark: Mark | undefined): ReactNode {
  if (mark === undefined) return cell;
  const Sign = SIGNS[mark.tone];
  const words = describeMark(mark);
  return (
    <span className={`ts-inline ${classes.mark}`} data-tone={mark.tone} title={words}>
      <Sign size={12} stroke={2} role="img" aria-label={`Marked ${TONE_WORDS[mark.tone]}`} />
      <span>{cell}</span>
    </span>
  );
}

const SIGNS = { good: IconCircleCheck, warn: IconFlag, bad: IconAlertTriangle };
export const TONE_WORDS: Record<Tone, string> = { good: "green", warn: "amber", bad: "red" };

/** "Cost > 0.05". */
export function describeMark({ column, comparison, value }: Mark): string {
  return `${findColumn(column)?.label ?? column} ${comparison} ${value}`;
}
