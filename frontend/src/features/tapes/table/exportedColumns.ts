/** The columns of the table under the names that an exported file uses. */
import type { ExportRequest } from "@/api/types";
import type { VisibleColumn } from "@/features/tapes/table/look";
import { DEFAULT_COLUMNS } from "@/features/tapes/table/tapeColumns";

type ExportColumn = NonNullable<ExportRequest["columns"]>[number];

/** The file's names, where they differ or where one table column combines two. */
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

/** The table's columns in its order, each once and after the id; the file has full answers. */
export function exportedColumns(shown: readonly VisibleColumn[]): ExportColumn[] {
  const columns = shown.length === 0 ? DEFAULT_COLUMNS : shown;
  const names = columns.flatMap(({ id }) => NAMES[id] ?? []);
  return [...new Set<ExportColumn>(["id", ...names])];
}
