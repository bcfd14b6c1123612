import { useState } from "react";

import type { DiffRow, OutlineRow, TapeDiff } from "@/api/types";
import { FieldDiff } from "@/features/tape-diff/FieldDiff";
import { StepLine } from "@/features/tape-diff/StepLine";
import { WholeStep } from "@/features/tape-diff/WholeStep";
import type { ChangeOp, DiffLine } from "@/features/tape-diff/diffLines";
import classes from "@/features/tape-diff/diff.module.css";
import { countOf } from "@/lib/format";

interface ChangeViewProps {
  diff: TapeDiff;
  line: Extract<DiffLine, { type: "change" }>;
  isUnified: boolean;
  isCurrent: boolean;
}

export function ChangeView({ diff, line, isUnified, isCurrent }: ChangeViewProps) {
  const { op, left, right, fields } = line;
  return (
    <article
      className={classes.card}
      data-op={op}
      data-current={isCurrent || undefined}
      aria-label={`${WORDS[op]} step`}
      aria-current={isCurrent || undefined}
    >
      <span className={classes.chip}>{WORDS[op]}</span>
      <div className={classes.columns} data-unified={isUnified || undefined}>
        {!(isUnified && left?.kind === right?.kind) && (
          <Side tapeId={diff.left.id} row={left} isUnified={isUnified} isWhole={op === "removed"} />
        )}
        <Side
          tapeId={diff.right.id}
          row={right}
          isUnified={isUnified}
          isWhole={op === "inserted"}
        />
      </div>
      <Fields fields={fields} isUnified={isUnified} />
      {op === "changed" && fields.length === 0 && (
        <p className={classes.dim}>Only who wrote it differs.</p>
      )}
    </article>
  );
}

const SHOWN_FIELDS = 8;

/** A long list of changed fields folds like everything that is long. */
function Fields({ fields, isUnified }: { fields: DiffRow["fields"]; isUnified: boolean }) {
  const [isOpen, setOpen] = useState(false);
  const shown = isOpen ? fields : fields.slice(0, SHOWN_FIELDS);
  const rest = fields.length - SHOWN_FIELDS;
  return (
    <>
      {shown.map((field) => (
        <FieldDiff key={field.path} field={field} isUnified={isUnified} />
      ))}
      {rest > 0 && (
        <button type="button" className={classes.more} onClick={() => setOpen(!isOpen)}>
          {isOpen ? "Show less" : `Show ${countOf(rest, "more changed field")}`}
        </button>
      )}
    </>
  );
}

const WORDS: Record<ChangeOp, string> = {
  changed: "Changed",
  removed: "Removed",
  inserted: "Inserted",
};

interface SideProps {
  tapeId: string;
  row: OutlineRow | null;
  isUnified: boolean;
  /** The step is on this side only: all of it shows. */
  isWhole: boolean;
}

function Side({ tapeId, row, isUnified, isWhole }: SideProps) {
  if (row === null) return isUnified ? null : <div className={classes.absent} aria-hidden="true" />;
  return (
    <div className={classes.half}>
      <StepLine tapeId={tapeId} row={row} isShort />
      {isWhole && <WholeStep tapeId={tapeId} position={row.position} />}
    </div>
  );
}
