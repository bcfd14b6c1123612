import type { DiffRow } from "@/api/types";
import { sideOf } from "@/features/tape-diff/diffLines";
import { OwnFold } from "@/features/tape-diff/OwnFold";
import classes from "@/features/tape-diff/diff.module.css";
import { prettyJson } from "@/lib/stepParts";
import { visibleText } from "@/lib/visibleText";
import { WordDiff } from "@/ui/WordDiff";

type Field = DiffRow["fields"][number];

interface FieldDiffProps {
  field: Field;
  isUnified: boolean;
}

/** One field on both sides; word by word where the texts are alike. */
export function FieldDiff({ field, isUnified }: FieldDiffProps) {
  const old = shortValue(field.old);
  const now = shortValue(field.new);
  if (old !== null && now !== null) {
    return <ShortField path={field.path} old={old} now={now} isUnified={isUnified} />;
  }
  return (
    <section className={classes.field}>
      <h2 className={classes.path}>{visibleText(field.path)}</h2>
      {field.words !== null && isUnified ? (
        <WordDiff words={field.words} />
      ) : (
        <div className={classes.columns} data-unified={isUnified || undefined}>
          <Value field={field} side="left" />
          <Value field={field} side="right" />
        </div>
      )}
    </section>
  );
}

interface ShortFieldProps {
  path: string;
  old: string;
  now: string;
  isUnified: boolean;
}

/** Two short values fit on one line with their name. */
function ShortField({ path, old, now, isUnified }: ShortFieldProps) {
  const name = <span className={classes.path}>{visibleText(path)}</span>;
  return (
    <div className={classes.columns} data-unified={isUnified || undefined}>
      <div className={classes.short}>
        {name}
        <Mark side="left" text={old} />
        {isUnified && <Mark side="right" text={now} />}
      </div>
      {!isUnified && (
        <div className={classes.short}>
          {name}
          <Mark side="right" text={now} />
        </div>
      )}
    </div>
  );
}

const SHORT = 40;

function shortValue(value: unknown): string | null {
  if (value === undefined) return "not set";
  const text = typeof value === "string" ? value : prettyJson(value);
  return text.length <= SHORT && !text.includes("\n") ? text : null;
}

function Value({ field, side }: { field: Field; side: "left" | "right" }) {
  const value = side === "left" ? field.old : field.new;
  if (field.words !== null) {
    return (
      <p className={classes.words}>
        {sideOf(field.words, side).map(({ text, isMarked }, at) =>
          isMarked ? <Mark key={at} side={side} text={text} /> : visibleText(text),
        )}
      </p>
    );
  }
  if (value === undefined || value === null) {
    return <p className={classes.dim}>{value === null ? "null" : "not set"}</p>;
  }
  return (
    <div className={classes.value} data-side={side}>
      <OwnFold
        text={typeof value === "string" ? value : prettyJson(value)}
        isMono={typeof value !== "string"}
      />
    </div>
  );
}

function Mark({ side, text }: { side: "left" | "right"; text: string }) {
  return side === "left" ? (
    <del className={classes.deleted}>{visibleText(text)}</del>
  ) : (
    <ins className={classes.added}>{visibleText(text)}</ins>
  );
}
