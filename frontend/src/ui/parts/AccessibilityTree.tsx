/** The accessibility tree of a page: one line per element, indented by depth. */
import { type CSSProperties, useMemo } from "react";

import { readAccessibilityTree, type TreeLine } from "@/lib/accessibilityTree";
import { visibleText } from "@/lib/visibleText";
import classes from "@/ui/parts/parts.module.css";
import { FEW_ROWS, ShowMore, useVisibleRows } from "@/ui/parts/ShowMore";

/** Deeper levels keep this indentation, so that they stay on the page. */
const DEEPEST_INDENT = 12;

export function AccessibilityTree({ slot, text }: { slot: string; text: string }) {
  const lines = useMemo(() => readAccessibilityTree(text), [text]);
  const rows = useVisibleRows(slot, lines.length, FEW_ROWS);
  return (
    <div className={classes.page}>
      <ul>
        {lines.slice(0, rows.shown).map((line, at) => (
          <Line key={at} line={line} />
        ))}
      </ul>
      <ShowMore rows={rows} noun="line" />
    </div>
  );
}

function Line({ line: { depth, id, role, name, state } }: { line: TreeLine }) {
  const indent: CSSProperties & Record<"--depth", number> = {
    "--depth": Math.min(depth, DEEPEST_INDENT),
  };
  return (
    <li className={classes.element} style={indent} dir="auto">
      {id !== "" && <span className={`ts-mono ${classes.elementId}`}>{visibleText(id)} </span>}
      {role !== "" && <span className={`ts-mono ${classes.role}`}>{visibleText(role)} </span>}
      {visibleText(name)}
      {state !== "" && <span className="ts-caption"> {visibleText(state)}</span>}
    </li>
  );
}
