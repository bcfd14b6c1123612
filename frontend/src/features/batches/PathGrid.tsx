/** Tapes as rows of small cells: steps that most tapes share are filled, rare ones hollow. */
import { useRef, useState, type KeyboardEvent } from "react";
import { Link } from "react-router";

import type { PathColumn, StepSign, TaskPaths } from "@/api/types";
import { firstCell, nextCell, type Cell } from "@/features/batches/paths";
import classes from "@/features/batches/PathGrid.module.css";
import { FAMILY_WORDS, visualFamily, type VisualFamily } from "@/lib/families";
import { visibleText } from "@/lib/visibleText";
import { OutcomeMark } from "@/ui/OutcomeMark";

const LETTERS: Record<VisualFamily, string> = {
  communication: "M",
  thought: "T",
  action: "A",
  observation: "O",
  control: "C",
  error: "E",
};
const FAMILIES: readonly VisualFamily[] = [
  "communication",
  "thought",
  "action",
  "observation",
  "control",
  "error",
];

type Row = TaskPaths["rows"][number];

export function PathGrid({ paths: { rows, columns } }: { paths: TaskPaths }) {
  const table = useRef<HTMLTableElement>(null);
  const [active, setActive] = useState<Cell | null>(() => firstCell(columns, rows.length));
  const onKeyDown = (event: KeyboardEvent) => {
    if (active === null) return;
    const next = nextCell(columns, rows.length, active, event.key);
    if (next === null) return;
    event.preventDefault();
    setActive(next);
    table.current?.querySelector<HTMLElement>(`[data-cell="${next.row}.${next.column}"]`)?.focus();
  };
  return (
    <>
      <div className={classes.scroller}>
        <table ref={table} className={classes.grid} aria-label="Steps of the tapes on one axis">
          <thead>
            <tr>
              <th scope="col" className={`ts-hint ${classes.name}`}>
                Most common path
              </th>
              {columns.map((column, at) => (
                <th
                  key={at}
                  scope="col"
                  className={classes.head}
                  data-main={column.is_consensus || undefined}
                  title={columnName(column)}
                >
                  <span className="ts-visually-hidden">{columnName(column)}</span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, at) => (
              <PathRow
                key={row.tape.id}
                row={row}
                number={at}
                columns={columns}
                active={active?.row === at ? active.column : null}
                onActive={setActive}
                onKeyDown={onKeyDown}
              />
            ))}
          </tbody>
        </table>
      </div>
      <ActiveStep rows={rows} columns={columns} active={active} />
      <Legend />
    </>
  );
}

interface PathRowProps {
  row: Row;
  number: number;
  columns: readonly PathColumn[];
  active: number | null;
  onActive: (cell: Cell) => void;
  onKeyDown: (event: KeyboardEvent) => void;
}

function PathRow({ row, number, columns, active, onActive, onKeyDown }: PathRowProps) {
  return (
    <tr>
      <th scope="row" className={`ts-hint ${classes.name}`}>
        <Link className={`ts-row ${classes.tape}`} to={`/t/${row.tape.id}`}>
          <OutcomeMark outcome={row.tape.outcome} />
          <span className="ts-truncate" title={visibleText(row.batch_name)}>
            {visibleText(row.batch_name)}
          </span>
        </Link>
      </th>
      {columns.map(({ positions, is_consensus }, column) => {
        const position = positions[number];
        const step = position === null || position === undefined ? undefined : row.steps[position];
        if (step === undefined) return <td key={column} className={classes.none} />;
        const family = visualFamily(step.kind, step.family, step.is_error);
        return (
          <td key={column}>
            <Link
              className={classes.cell}
              to={`/t/${row.tape.id}?step=${position}`}
              data-family={family}
              data-main={is_consensus || undefined}
              data-cell={`${number}.${column}`}
              tabIndex={active === column ? 0 : -1}
              aria-label={`Step ${position}, ${stepName(step)}`}
              title={`${position} ${stepName(step)}: ${visibleText(step.gist)}`}
              onFocus={() => onActive({ row: number, column })}
              onKeyDown={onKeyDown}
            >
              {LETTERS[family]}
            </Link>
          </td>
        );
      })}
    </tr>
  );
}

interface ActiveStepProps {
  rows: readonly Row[];
  columns: readonly PathColumn[];
  active: Cell | null;
}

/** Describes the focused cell. */
function ActiveStep({ rows, columns, active }: ActiveStepProps) {
  const row = active === null ? undefined : rows[active.row];
  const position = active === null ? null : columns[active.column]?.positions[active.row];
  const step = typeof position === "number" ? row?.steps[position] : undefined;
  if (row === undefined || step === undefined) return null;
  return (
    <p className={`ts-truncate ${classes.step}`}>
      <span className="ts-dimmed">
        {visibleText(row.batch_name)}, step {position}
      </span>{" "}
      <span className="ts-mono">{stepName(step)}</span> {visibleText(step.gist)}
    </p>
  );
}

function Legend() {
  return (
    <ul className={`ts-hint ${classes.legend}`} aria-label="Step families">
      {FAMILIES.map((family) => (
        <li key={family}>
          <span className={classes.cell} data-family={family} data-main aria-hidden="true">
            {LETTERS[family]}
          </span>
          {FAMILY_WORDS[family]}
        </li>
      ))}
      <li>
        <span className={classes.cell} data-family="thought" aria-hidden="true">
          T
        </span>
        At most half of the tapes
      </li>
    </ul>
  );
}

function stepName({ kind, node }: Pick<StepSign, "kind" | "node">): string {
  return visibleText(node === "" ? kind : `${kind} (${node})`);
}

function columnName(column: PathColumn): string {
  const count = column.positions.filter((position) => position !== null).length;
  return `${stepName(column)}: ${count} of ${column.positions.length}`;
}
