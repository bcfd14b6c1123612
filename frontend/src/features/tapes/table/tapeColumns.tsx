/** Every column that the list of tapes can show: its cell, its value for marks, its order. */
import type { ReactNode } from "react";

import type { TapeRow } from "@/api/types";
import type { VisibleColumn } from "@/features/tapes/table/look";
import { OutcomeBadge } from "@/features/tapes/table/OutcomeBadge";
import { MODELS_WORKED } from "@/lib/durations";
import { formatScore } from "@/lib/format";
import { dollars } from "@/lib/money";
import { visibleText } from "@/lib/visibleText";
import { Count, Duration, RelativeTime, SummedCost, Tokens } from "@/ui/Quantities";

export interface TapeColumn {
  id: string;
  label: string;
  /** A description, where the label alone is not enough. */
  hint?: string;
  /** In pixels. */
  width: number;
  align?: "end";
  /** The order of the list for this column; omitted if there is none. */
  sort?: string;
  /** Numbers start with the largest, words with the first. */
  isDescendingFirst?: boolean;
  /** Hidden on narrow screens while the default columns are shown: 1 first, 3 on a phone. */
  hideLevel?: 1 | 2 | 3;
  /** The value that a mark compares; omitted if cells cannot be marked. */
  value?: (row: TapeRow) => number | string | null;
  cell: (row: TapeRow) => ReactNode;
}

/** The table draws the title's cell itself: it opens the tape. */
export const TITLE_ID = "title";
export const TITLE_WIDTH = 320;

const number = (
  part: Pick<TapeColumn, "id" | "label"> & Partial<TapeColumn>,
  value: (row: TapeRow) => number | null,
  cell: (value: number | null) => ReactNode,
): TapeColumn => ({
  width: 80,
  align: "end",
  sort: part.id,
  isDescendingFirst: true,
  ...part,
  value,
  cell: (row) => cell(value(row)),
});

const words = (
  part: Pick<TapeColumn, "id" | "label"> & Partial<TapeColumn>,
  value: (row: TapeRow) => string,
  className = "ts-dimmed",
): TapeColumn => ({
  width: 140,
  ...part,
  value,
  cell: (row) => (
    <span className={className} title={visibleText(value(row))}>
      {visibleText(value(row))}
    </span>
  ),
});

/** Without LLM calls a total is unknown, which is not the same as zero. */
const ofCalls = (read: (totals: TapeRow["totals"]) => number | null) => (row: TapeRow) =>
  row.totals.llm_call_count === 0 ? null : read(row.totals);

export const TAPE_COLUMNS: readonly TapeColumn[] = [
  {
    ...words({ id: TITLE_ID, label: "Tape", sort: "title" }, (row) => row.title),
    width: TITLE_WIDTH,
  },
  words(
    { id: "agent", label: "Agent", width: 140, sort: "agent", hideLevel: 1 },
    (row) => row.agent_name,
    "ts-mono",
  ),
  words(
    { id: "batch", label: "Batch", width: 130, sort: "batch", hideLevel: 1 },
    (row) => row.batch_name,
  ),
  words({ id: "task", label: "Task", sort: "task" }, (row) => row.task, ""),
  words(
    { id: "expected", label: "Expected", width: 180, sort: "expected" },
    (row) => row.expected,
    "",
  ),
  words({ id: "actual", label: "Actual", width: 180, sort: "actual" }, (row) => row.actual, ""),
  {
    id: "outcome",
    label: "Outcome",
    width: 92,
    sort: "outcome",
    value: (row) => row.outcome,
    cell: (row) => <OutcomeBadge outcome={row.outcome} />,
  },
  number(
    { id: "score", label: "Score", width: 72 },
    (row) => row.score,
    (value) => <span className="ts-number">{formatScore(value)}</span>,
  ),
  number(
    { id: "steps", label: "Steps", width: 72, hideLevel: 3 },
    (row) => row.step_count,
    (value) => <Count value={value} />,
  ),
  number(
    { id: "errors", label: "Errors", width: 72, hideLevel: 3 },
    (row) => row.error_count,
    (value) =>
      value === 0 ? (
        <span className="ts-dimmed">–</span>
      ) : (
        <span className="ts-bad">
          <Count value={value} />
        </span>
      ),
  ),
  number(
    { id: "calls", label: "Calls", hint: "LLM calls", width: 72 },
    (row) => row.totals.llm_call_count,
    (value) => <Count value={value} />,
  ),
  number(
    { id: "tokens", label: "Tokens", hint: "Input and output tokens", hideLevel: 1 },
    ofCalls((totals) => totals.input_tokens + totals.output_tokens),
    (value) => <Tokens value={value} />,
  ),
  number(
    { id: "input", label: "Input", hint: "Input tokens" },
    ofCalls((totals) => totals.input_tokens),
    (value) => <Tokens value={value} />,
  ),
  number(
    { id: "cache", label: "Cached", hint: "Input tokens read from the cache" },
    ofCalls((totals) => totals.cache_read_tokens),
    (value) => <Tokens value={value} />,
  ),
  number(
    { id: "output", label: "Output", hint: "Output tokens" },
    ofCalls((totals) => totals.output_tokens),
    (value) => <Tokens value={value} />,
  ),
  {
    ...number(
      { id: "cost", label: "Cost", hint: "In US dollars", width: 116, hideLevel: 2 },
      ofCalls(({ cost_micro_usd: cost, unpriced_call_count: unpriced, llm_call_count: calls }) =>
        unpriced >= calls ? null : dollars(cost),
      ),
      () => null,
    ),
    cell: (row) => <SummedCost sum={row.totals} />,
  },
  number(
    {
      id: "duration",
      label: "Worked",
      hint: MODELS_WORKED,
      width: 88,
      hideLevel: 1,
    },
    // Files that do not record call durations have nothing to sum.
    ofCalls((totals) => totals.duration_seconds || null),
    (value) => <Duration value={value} />,
  ),
  words({ id: "tags", label: "Tags" }, (row) => row.tags.join(", ")),
  words({ id: "author", label: "Author", width: 120, sort: "author" }, (row) => row.author),
  {
    id: "updated",
    label: "Updated",
    width: 104,
    align: "end",
    sort: "updated",
    isDescendingFirst: true,
    cell: (row) => <RelativeTime value={row.updated_at} />,
  },
  {
    id: "created",
    label: "Created",
    width: 104,
    hideLevel: 3,
    align: "end",
    sort: "created",
    isDescendingFirst: true,
    cell: (row) => <RelativeTime value={row.created_at} />,
  },
];

const BY_ID = new Map(TAPE_COLUMNS.map((column) => [column.id, column]));
export const COLUMN_IDS: ReadonlySet<string> = new Set(BY_ID.keys());

export function findColumn(id: string): TapeColumn | undefined {
  return BY_ID.get(id);
}

export const DEFAULT_COLUMNS: readonly VisibleColumn[] = [
  "title",
  "agent",
  "batch",
  "outcome",
  "steps",
  "errors",
  "tokens",
  "cost",
  "duration",
  "created",
].map((id) => ({ id, width: null, isPinned: false }));
