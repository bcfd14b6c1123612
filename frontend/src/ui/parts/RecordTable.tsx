/** A list of JSON objects or equally long lists as a table: a column for each field or index. */
import { useMemo } from "react";

import { countOf } from "@/lib/format";
import { isObject } from "@/lib/json";
import type { TableRow } from "@/lib/stepPart";
import { readAddress, shortJson } from "@/lib/valueShapes";
import { cutText, visibleText } from "@/lib/visibleText";
import { ExternalLink } from "@/ui/parts/ExternalLink";
import classes from "@/ui/parts/parts.module.css";
import { ShowMore, useVisibleRows } from "@/ui/parts/ShowMore";

const MOST_COLUMNS = 16;
const LOOKED_AT = 100;
const LONGEST_CELL = 400;

interface RecordTableProps {
  slot: string;
  rows: readonly TableRow[];
}

export function RecordTable({ slot, rows }: RecordTableProps) {
  const shown = useVisibleRows(slot, rows.length);
  const hasNames = !Array.isArray(rows[0]);
  const columns = useMemo(() => listColumns(rows), [rows]);
  return (
    <div className={hasNames ? undefined : classes.unnamed}>
      {/* Wide tables scroll on their own; the keyboard can scroll them too. */}
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className={`ts-panel ${classes.scroller}`} tabIndex={0} role="region" aria-label="Table">
        <table className={classes.table}>
          {hasNames && (
            <thead>
              <tr>
                {columns.map((name) => (
                  <th key={name} scope="col" data-number={isNumber(rows[0], name) || undefined}>
                    {visibleText(name)}
                  </th>
                ))}
              </tr>
            </thead>
          )}
          <tbody>
            {rows.slice(0, shown.shown).map((row, at) => (
              <tr key={at}>
                {columns.map((name) => (
                  <td key={name} data-number={isNumber(row, name) || undefined}>
                    <Cell value={valueOf(row, name)} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <ShowMore rows={shown} noun="row" />
    </div>
  );
}

function isNumber(row: TableRow | undefined, name: string): boolean {
  return row !== undefined && typeof valueOf(row, name) === "number";
}

function valueOf(row: TableRow, name: string): unknown {
  if (!isObject(row)) return row[Number(name)];
  return Object.hasOwn(row, name) ? row[name] : undefined;
}

function Cell({ value }: { value: unknown }) {
  if (value === undefined) return null;
  if (typeof value !== "string") {
    return <span className="ts-mono">{visibleText(shortJson(value) ?? sizeOf(value))}</span>;
  }
  if (readAddress(value) !== null) return <ExternalLink address={value} />;
  return <span className={classes.cell}>{visibleText(cut(value))}</span>;
}

function cut(text: string): string {
  return text.length <= LONGEST_CELL ? text : `${cutText(text, LONGEST_CELL)}…`;
}

/** The cut text of a large value; the raw step has all of it. */
function sizeOf(value: unknown): string {
  return Array.isArray(value)
    ? `[${countOf(value.length, "item")}]`
    : `{${countOf(Object.keys(isObject(value) ? value : {}).length, "field")}}`;
}

/** Fields in order of first appearance, as far as the first rows show. */
function listColumns(rows: readonly TableRow[]): string[] {
  const names = new Set(rows.slice(0, LOOKED_AT).flatMap((row) => Object.keys(row)));
  return [...names].slice(0, MOST_COLUMNS);
}
