/** The lines of a diff: runs of equal steps fold into one line, changes stay separate. */
import type { Outline } from "@/api/outline";
import type { DiffRow, OutlineRow } from "@/api/types";

export type ChangeOp = "changed" | "moved" | "removed" | "inserted";

export type DiffLine =
  | { type: "fold"; key: string; count: number; isOpen: boolean }
  | { type: "equal"; key: string; left: OutlineRow; right: OutlineRow }
  | {
      type: "change";
      key: string;
      /** Its index among the changes, from 0. */
      number: number;
      op: ChangeOp;
      left: OutlineRow | null;
      right: OutlineRow | null;
      fields: DiffRow["fields"];
    };

interface Outlines {
  left: Pick<Outline, "at">;
  right: Pick<Outline, "at">;
}

export function listLines(
  rows: readonly DiffRow[],
  opened: ReadonlySet<string>,
  outlines: Outlines,
): DiffLine[] {
  const lines: DiffLine[] = [];
  let number = 0;
  for (const { op, count, left, right, fields } of rows) {
    const key = `${left?.position ?? "-"}:${right?.position ?? "-"}`;
    if (op !== "equal") {
      lines.push({ type: "change", key, number, op, left, right, fields });
      number += 1;
      continue;
    }
    const isOpen = opened.has(key);
    lines.push({ type: "fold", key: `fold-${key}`, count, isOpen });
    if (isOpen && left !== null && right !== null) {
      lines.push(...equalLines(count, left.position, right.position, outlines));
    }
  }
  return lines;
}

function equalLines(count: number, left: number, right: number, outlines: Outlines): DiffLine[] {
  return Array.from({ length: count }, (_, at) => {
    const one = outlines.left.at(left + at);
    const other = outlines.right.at(right + at);
    if (one === undefined || other === undefined) return [];
    const line: DiffLine = {
      type: "equal",
      key: `${one.position}:${other.position}`,
      left: one,
      right: other,
    };
    return [line];
  }).flat();
}

export function foldKey(line: Extract<DiffLine, { type: "fold" }>): string {
  return line.key.slice("fold-".length);
}

export function countChanges(rows: readonly DiffRow[]): Record<ChangeOp, number> {
  const counts = { changed: 0, moved: 0, removed: 0, inserted: 0 };
  for (const { op } of rows) if (op !== "equal") counts[op] += 1;
  return counts;
}
