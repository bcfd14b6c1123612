/** Moving in the grid of paths: rows are tapes, columns are matching steps. */
import type { PathColumn } from "@/api/types";

export interface Cell {
  row: number;
  column: number;
}

/** The next cell with a step in the direction of an arrow key; `null` if there is none. */
export function nextCell(
  columns: readonly PathColumn[],
  rowCount: number,
  { row, column }: Cell,
  key: string,
): Cell | null {
  if (key === "ArrowRight") return alongRow(columns, row, column, 1);
  if (key === "ArrowLeft") return alongRow(columns, row, column, -1);
  if (key === "Home") return alongRow(columns, row, -1, 1);
  if (key === "End") return alongRow(columns, row, columns.length, -1);
  if (key !== "ArrowDown" && key !== "ArrowUp") return null;
  const step = key === "ArrowDown" ? 1 : -1;
  for (let next = row + step; next >= 0 && next < rowCount; next += step) {
    const found = nearest(columns, next, column);
    if (found !== null) return found;
  }
  return null;
}

function alongRow(
  columns: readonly PathColumn[],
  row: number,
  from: number,
  step: 1 | -1,
): Cell | null {
  for (let at = from + step; at >= 0 && at < columns.length; at += step) {
    if (hasStep(columns, row, at)) return { row, column: at };
  }
  return null;
}

function nearest(columns: readonly PathColumn[], row: number, column: number): Cell | null {
  for (let away = 0; away < columns.length; away += 1) {
    for (const at of [column - away, column + away]) {
      if (hasStep(columns, row, at)) return { row, column: at };
    }
  }
  return null;
}

function hasStep(columns: readonly PathColumn[], row: number, column: number): boolean {
  const position = columns[column]?.positions[row];
  return position !== null && position !== undefined;
}

export function firstCell(columns: readonly PathColumn[], rowCount: number): Cell | null {
  for (let row = 0; row < rowCount; row += 1) {
    const found = alongRow(columns, row, -1, 1);
    if (found !== null) return found;
  }
  return null;
}
