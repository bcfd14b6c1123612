import type { OutlineRow, TapeDiff } from "@/api/types";
import { Columns } from "@/ui/fields/Columns";
import { FieldList } from "@/ui/fields/FieldList";
import { PromptDiff } from "@/features/tape-diff/PromptDiff";
import { StepLine } from "@/features/tape-diff/StepLine";
import { FullStep } from "@/features/tape-diff/FullStep";
import type { ChangeOp, DiffLine } from "@/features/tape-diff/diffLines";
import classes from "@/features/tape-diff/diff.module.css";

interface ChangeViewProps {
  diff: TapeDiff;
  line: Extract<DiffLine, { type: "change" }>;
  isUnified: boolean;
  isCurrent: boolean;
}

export function ChangeView({ diff, line, isUnified, isCurrent }: ChangeViewProps) {
  const { op, left, right, fields } = line;
  const calls = callsOf(diff, left, right);
  return (
    <article
      className={`ts-panel ${classes.card}`}
      data-op={op}
      data-current={isCurrent || undefined}
      aria-label={`${WORDS[op]} step`}
      aria-current={isCurrent || undefined}
    >
      <span className={classes.chip}>{WORDS[op]}</span>
      <Columns isUnified={isUnified}>
        {!(isUnified && left?.kind === right?.kind) && (
          <Side
            tapeId={diff.left.id}
            row={left}
            isUnified={isUnified}
            isShort={op !== "moved"}
            isWhole={op === "removed"}
          />
        )}
        <Side
          tapeId={diff.right.id}
          row={right}
          isUnified={isUnified}
          isShort={op !== "moved"}
          isWhole={op === "inserted"}
        />
      </Columns>
      <FieldList fields={fields} isUnified={isUnified} />
      {op === "changed" && fields.length === 0 && (
        <p className={classes.dim}>Only the author differs.</p>
      )}
      {op === "moved" && isUnified && left !== null && (
        <p className={classes.dim}>It was step {left.position}.</p>
      )}
      {calls !== null && <PromptDiff {...calls} isUnified={isUnified} />}
    </article>
  );
}

/** The calls that wrote the two steps; `null` unless there are two different ones. */
function callsOf(diff: TapeDiff, left: OutlineRow | null, right: OutlineRow | null) {
  const [one, other] = [left?.call_id ?? null, right?.call_id ?? null];
  if (one === null || other === null || one === other) return null;
  return {
    left: { tapeId: diff.left.id, callId: one },
    right: { tapeId: diff.right.id, callId: other },
  };
}

const WORDS: Record<ChangeOp, string> = {
  changed: "Changed",
  moved: "Moved",
  removed: "Removed",
  inserted: "Inserted",
};

interface SideProps {
  tapeId: string;
  row: OutlineRow | null;
  isUnified: boolean;
  /** Without the summary, because the changed words are shown below. */
  isShort: boolean;
  /** The step exists on this side only, so it is shown in full. */
  isWhole: boolean;
}

function Side({ tapeId, row, isUnified, isShort, isWhole }: SideProps) {
  if (row === null) return isUnified ? null : <div className={classes.absent} aria-hidden="true" />;
  return (
    <div className={classes.half}>
      <StepLine tapeId={tapeId} row={row} isShort={isShort} />
      {isWhole && <FullStep tapeId={tapeId} position={row.position} />}
    </div>
  );
}
