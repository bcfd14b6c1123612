/** The columns of the table as an exported file names them. */
import type { ExportRequest } from "@/api/types";
import type { VisibleColumn } from "@/features/tapes/table/look";
import { DEFAULT_COLUMNS } from "@/features/tapes/table/tapeColumns";

type ExportColumn = NonNullable<ExportRequest["columns"]>[number];

/** Where a file has other names, or the table puts two together. */
const NAMES: Record<string, readonly ExportColumn[]> = {
  title: ["title"],
  agent: ["agent"],
  batch: ["batch"],
  task: ["task"],
  expected: ["expected"],
  actual: ["actual"],
  outcome: ["outcome"],
  score: ["score"],
  steps: ["steps"],
  errors: ["errors"],
  calls: ["llm_calls"],
  tokens: ["input_tokens", "output_tokens"],
  input: ["input_tokens"],
  cache: ["cache_read_tokens"],
  output: ["output_tokens"],
  cost: ["cost_usd"],
  duration: ["duration_seconds"],
  tags: ["tags"],
  author: ["author"],
  updated: ["updated_at"],
  created: ["created_at"],
};

/** What the table shows, in its order, each once and behind the id; answers are whole in a file. */
export function exportedColumns(shown: readonly VisibleColumn[]): ExportColumn[] {
  const columns = shown.length === 0 ? DEFAULT_COLUMNS : shown;
  const names = columns.flatMap(({ id }) => NAMES[id] ?? []);
  return [...new Set<ExportColumn>(["id", ...names])];
}
