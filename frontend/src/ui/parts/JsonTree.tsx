/** A JSON value as a tree: deep levels open on request, long lists come in parts. */
import { countOf } from "@/lib/format";
import { isObject } from "@/lib/json";
import { shortJson } from "@/lib/valueShapes";
import { visibleText } from "@/lib/visibleText";
import { useFold } from "@/ui/parts/folds";
import classes from "@/ui/parts/parts.module.css";
import { PlainText } from "@/ui/parts/PlainText";
import { FEW_ROWS, ShowMore, useVisibleRows } from "@/ui/parts/ShowMore";

/** A level that the reader opens may show more than the card shows at first. */
const OPENED_ROWS = 100;
/** Deeper levels keep this indentation, so that they stay on the page. */
const DEEPEST_INDENT = 12;

interface JsonTreeProps {
  slot: string;
  value: unknown;
}

export function JsonTree({ slot, value }: JsonTreeProps) {
  return (
    <div className={`ts-mono ${classes.tree}`}>
      <Children slot={slot} value={value} depth={0} />
    </div>
  );
}

interface ChildrenProps {
  slot: string;
  value: unknown;
  depth: number;
}

function Children({ slot, value, depth }: ChildrenProps) {
  const rows = useVisibleRows(slot, sizeOf(value), depth === 0 ? FEW_ROWS : OPENED_ROWS);
  return (
    <ul
      className={classes.branch}
      data-indented={(depth > 0 && depth < DEEPEST_INDENT) || undefined}
    >
      {firstKeys(value, rows.shown).map((key) => (
        <li key={key}>
          <Entry slot={`${slot}/${key}`} name={key} value={childOf(value, key)} depth={depth} />
        </li>
      ))}
      {(rows.isOpen || rows.shown < rows.count) && (
        <li>
          <ShowMore rows={rows} noun={Array.isArray(value) ? "item" : "field"} />
        </li>
      )}
    </ul>
  );
}

function Entry({ slot, name, value, depth }: ChildrenProps & { name: string }) {
  const size = sizeOf(value);
  const isFirstShown = depth === 0 && size <= FEW_ROWS;
  const [isToggled, toggle] = useFold(slot);
  const label = <span className={classes.name}>{visibleText(name)}</span>;
  const short = typeof value === "string" ? null : shortJson(value);
  if (size === 0 || short !== null) {
    return (
      <div className={classes.leaf}>
        {label}
        {typeof value === "string" ? (
          <PlainText slot={slot} text={value} isMono isQuoted />
        ) : (
          <span className={classes.scalar}>{visibleText(short ?? String(value))}</span>
        )}
      </div>
    );
  }
  const isOpen = isFirstShown !== isToggled;
  return (
    <>
      <button type="button" className={classes.opener} aria-expanded={isOpen} onClick={toggle}>
        <span aria-hidden="true">{isOpen ? "▾" : "▸"}</span>
        {label}
        <span className={`ts-caption ${classes.size}`}>{describeSize(value, size)}</span>
      </button>
      {isOpen && <Children slot={slot} value={value} depth={depth + 1} />}
    </>
  );
}

function firstKeys(value: unknown, count: number): string[] {
  if (!Array.isArray(value)) return isObject(value) ? Object.keys(value).slice(0, count) : [];
  return Array.from({ length: Math.min(count, value.length) }, (_, at) => String(at));
}

function childOf(value: unknown, key: string): unknown {
  if (Array.isArray(value)) return value[Number(key)];
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

function sizeOf(value: unknown): number {
  if (Array.isArray(value)) return value.length;
  return isObject(value) ? Object.keys(value).length : 0;
}

function describeSize(value: unknown, size: number): string {
  return Array.isArray(value) ? countOf(size, "item") : countOf(size, "field");
}
