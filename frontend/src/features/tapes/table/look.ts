/** The look of the table of tapes: order, columns, marks; immutable values. */

export interface VisibleColumn {
  id: string;
  /** In pixels; `null` for the column's default width. */
  width: number | null;
  isPinned: boolean;
}

export const COMPARISONS = [">", "<", "="] as const;
export type Comparison = (typeof COMPARISONS)[number];
export const TONES = ["good", "warn", "bad"] as const;
export type Tone = (typeof TONES)[number];

/** Highlights the cells whose value meets a condition. */
export interface Mark {
  column: string;
  comparison: Comparison;
  value: string;
  tone: Tone;
}

export interface TableLook {
  /** A column, with "-" before it for descending; empty: newest first. */
  sort: string;
  /** In order; empty for the default columns. */
  columns: readonly VisibleColumn[];
  marks: readonly Mark[];
}

export const MIN_WIDTH = 56;
export const MAX_WIDTH = 1200;
const MOST_COLUMNS = 40;
const MOST_MARKS = 20;

export interface Sort {
  column: string;
  isDescending: boolean;
}

export function readSort(text: string): Sort | null {
  if (text === "") return null;
  return { column: text.replace(/^-/, ""), isDescending: text.startsWith("-") };
}

/** The order after a click on a header: the column's first direction, the other one, then none. */
export function nextSort(current: string, column: string, isDescendingFirst: boolean): string {
  const [first, second] = isDescendingFirst ? [`-${column}`, column] : [column, `-${column}`];
  if (current === first) return second;
  return current === second ? "" : first;
}

/** "title:320!,cost": width after a colon, "!" for a pinned column. Invalid parts are skipped. */
export function readColumns(text: string, known: ReadonlySet<string>): VisibleColumn[] {
  const columns = text.split(",").flatMap((part) => {
    const [, id = "", width, pin] = /^([a-z_]+)(?::(\d{1,4}))?(!)?$/.exec(part) ?? [];
    if (!known.has(id)) return [];
    return [
      { id, width: width === undefined ? null : clampWidth(Number(width)), isPinned: pin === "!" },
    ];
  });
  const first = columns.filter(({ id }, at) => columns.findIndex((one) => one.id === id) === at);
  return pinnedFirst(first.slice(0, MOST_COLUMNS));
}

export function writeColumns(columns: readonly VisibleColumn[]): string {
  return columns
    .map(
      ({ id, width, isPinned }) =>
        `${id}${width === null ? "" : `:${width}`}${isPinned ? "!" : ""}`,
    )
    .join(",");
}

/** "cost>0.05~bad", separated by ";" and escaped, so that a value may contain any of these. */
export function readMarks(text: string, known: ReadonlySet<string>): Mark[] {
  return text
    .split(";")
    .flatMap((part) => {
      const [, column = "", comparison = "", value = "", tone = ""] =
        /^([a-z_]+)([<>=])(.+)~(good|warn|bad)$/.exec(part) ?? [];
      const readComparison = COMPARISONS.find((one) => one === comparison);
      const readTone = TONES.find((one) => one === tone);
      if (!known.has(column) || readComparison === undefined || readTone === undefined) return [];
      return [{ column, comparison: readComparison, value: unescaped(value), tone: readTone }];
    })
    .slice(0, MOST_MARKS);
}

export function writeMarks(marks: readonly Mark[]): string {
  return marks
    .map(({ column, comparison, value, tone }) =>
      [column, comparison, encodeURIComponent(value).replaceAll("~", "%7E"), `~${tone}`].join(""),
    )
    .join(";");
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The first mark whose condition the value meets; an unknown value meets none. */
export function findMark(
  marks: readonly Mark[],
  column: string,
  value: number | string | null,
): Mark | undefined {
  if (value === null) return undefined;
  return marks.find((mark) => mark.column === column && meets(value, mark));
}

function meets(value: number | string, { comparison, value: limit }: Mark): boolean {
  if (typeof value === "string") {
    return comparison === "=" && value.toLowerCase() === limit.toLowerCase();
  }
  const number = Number(limit);
  if (limit.trim() === "" || Number.isNaN(number)) return false;
  if (comparison === ">") return value > number;
  return comparison === "<" ? value < number : value === number;
}

export function toggleColumn(
  columns: readonly VisibleColumn[],
  id: string,
): readonly VisibleColumn[] {
  const rest = columns.filter((column) => column.id !== id);
  if (rest.length < columns.length) return rest.length === 0 ? columns : rest;
  return [...columns, { id, width: null, isPinned: false }];
}

/** Moves a column one place up or down; pinned columns stay before the others. */
export function moveColumn(
  columns: readonly VisibleColumn[],
  id: string,
  by: 1 | -1,
): readonly VisibleColumn[] {
  const at = columns.findIndex((column) => column.id === id);
  const [one, other] = [columns[at], columns[at + by]];
  if (one === undefined || other === undefined) return columns;
  const moved = [...columns];
  moved[at] = other;
  moved[at + by] = one;
  return pinnedFirst(moved);
}

export function togglePin(columns: readonly VisibleColumn[], id: string): readonly VisibleColumn[] {
  return pinnedFirst(
    columns.map((column) =>
      column.id === id ? { ...column, isPinned: !column.isPinned } : column,
    ),
  );
}

export function resizeColumns(
  columns: readonly VisibleColumn[],
  widths: Readonly<Record<string, number>>,
): readonly VisibleColumn[] {
  return columns.map((column) => {
    const width = widths[column.id];
    return width === undefined ? column : { ...column, width: clampWidth(width) };
  });
}

export function clampWidth(width: number): number {
  return Math.round(Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, width)));
}

export function areColumnsEqual(
  one: readonly VisibleColumn[],
  other: readonly VisibleColumn[],
): boolean {
  return writeColumns(one) === writeColumns(other);
}

function pinnedFirst(columns: readonly VisibleColumn[]): VisibleColumn[] {
  return [
    ...columns.filter(({ isPinned }) => isPinned),
    ...columns.filter(({ isPinned }) => !isPinned),
  ];
}
