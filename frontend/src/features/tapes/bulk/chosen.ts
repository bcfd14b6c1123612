/** The target of a bulk action: the checked rows, or all tapes of the list. */
import type { TapeFilter } from "@/api/tapes";
import type { TapeRow } from "@/api/types";
import { countOf } from "@/lib/format";

export interface Chosen {
  /** The target in words: "3 tapes". */
  words: string;
  conditions: TapeFilter | { tape_ids: string[] };
  /** The checked rows; empty when the whole list is selected. */
  rows: readonly TapeRow[];
}

export function chooseRows(rows: readonly TapeRow[]): Chosen {
  return {
    words: countOf(rows.length, "tape"),
    conditions: { tape_ids: rows.map((row) => row.id) },
    rows,
  };
}

export function chooseAll(filter: TapeFilter, count: number): Chosen {
  return { words: `all ${countOf(count, "tape")}`, conditions: filter, rows: [] };
}

/** The tags of the rows, each with how many rows have it, most frequent first. */
export function countTags(rows: readonly TapeRow[]): { name: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const tag of rows.flatMap((row) => row.tags)) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  return [...counts]
    .map(([name, count]) => ({ name, count }))
    .toSorted((one, other) => other.count - one.count || one.name.localeCompare(other.name));
}
