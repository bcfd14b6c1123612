import { OwnFold } from "@/ui/fields/OwnFold";
import { Columns } from "@/ui/fields/Columns";
import classes from "@/ui/fields/fields.module.css";
import { sideOf, type Field } from "@/ui/fields/field";
import { mediaPartOf } from "@/lib/messagePieces";
import { StepParts } from "@/ui/parts/StepParts";
import { prettyJson } from "@/lib/valueShapes";
import { visibleText } from "@/lib/visibleText";
import { WordDiff } from "@/ui/WordDiff";
import { WordMark } from "@/ui/WordMark";

interface FieldDiffProps {
  field: Field;
  isUnified: boolean;
}

/** One field on both sides; compared word by word if the texts are similar. */
export function FieldDiff({ field, isUnified }: FieldDiffProps) {
  const isMedia = SIDES.some((side) => mediaPartOf(valueOf(field, side)) !== null);
  const old = shortValue(field, "left");
  const now = shortValue(field, "right");
  if (old !== null && now !== null && !isMedia) {
    return <ShortField field={field} old={old} now={now} isUnified={isUnified} />;
  }
  return (
    <section className={classes.field}>
      <h2 className={`ts-caption ${classes.path}`}>{visibleText(field.path)}</h2>
      {field.words !== null && isUnified && !isMedia ? (
        <WordDiff words={field.words} />
      ) : (
        <Columns isUnified={isUnified}>
          <Value field={field} side="left" />
          <Value field={field} side="right" />
        </Columns>
      )}
    </section>
  );
}

interface ShortFieldProps extends FieldDiffProps {
  old: string;
  now: string;
}

/** Two short values, each on one line with the field's name. */
function ShortField({ field, old, now, isUnified }: ShortFieldProps) {
  const name = <span className={`ts-caption ${classes.path}`}>{visibleText(field.path)}</span>;
  const left = field.op !== "added" && <SideText field={field} side="left" text={old} />;
  const right = field.op !== "removed" && <SideText field={field} side="right" text={now} />;
  return (
    <Columns isUnified={isUnified}>
      <div className={classes.short}>
        {name}
        {left || (!isUnified && <NotSet />)}
        {isUnified && right}
      </div>
      {!isUnified && (
        <div className={classes.short}>
          {name}
          {right || <NotSet />}
        </div>
      )}
    </Columns>
  );
}

interface SideTextProps {
  field: Field;
  side: "left" | "right";
  /** The full text, used when there is no word diff. */
  text: string;
}

/** The value on one side; what the other side lacks is marked. */
function SideText({ field, side, text }: SideTextProps) {
  const op = side === "left" ? "delete" : "insert";
  if (field.words === null) return <WordMark op={op} text={text} />;
  return (
    <span>
      {sideOf(field.words, side).map((piece, at) =>
        piece.isMarked ? <WordMark key={at} op={op} text={piece.text} /> : visibleText(piece.text),
      )}
    </span>
  );
}

function NotSet() {
  return <span className="ts-dimmed">not set</span>;
}

const SIDES = ["left", "right"] as const;
const SHORT = 40;

/** The value on one side; `undefined` if the field is missing there. */
function valueOf(field: Field, side: "left" | "right"): unknown {
  if (side === "left") return field.op === "added" ? undefined : field.old;
  return field.op === "removed" ? undefined : field.new;
}

function shortValue(field: Field, side: "left" | "right"): string | null {
  const value = valueOf(field, side);
  if (value === undefined) return "";
  const text = typeof value === "string" ? value : prettyJson(value);
  return text.length <= SHORT && !text.includes("\n") ? text : null;
}

function Value({ field, side }: { field: Field; side: "left" | "right" }) {
  const value = valueOf(field, side);
  const media = mediaPartOf(value);
  if (media !== null) {
    return (
      <div className={classes.value} data-side={side}>
        <StepParts slot={`${field.path} ${side}`} parts={[media]} />
      </div>
    );
  }
  if (field.words !== null) {
    return (
      <p className="ts-words">
        <SideText field={field} side={side} text="" />
      </p>
    );
  }
  if (value === undefined) return <NotSet />;
  if (value === null) return <span className="ts-dimmed">null</span>;
  return (
    <div className={classes.value} data-side={side}>
      <OwnFold
        text={typeof value === "string" ? value : prettyJson(value)}
        isMono={typeof value !== "string"}
      />
    </div>
  );
}
