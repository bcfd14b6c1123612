/** The preview of a transform: counts, and up to five tapes with their changes. */
import type { TransformPreview as Preview, TransformSample } from "@/api/types";
import classes from "@/features/tapes/bulk/bulk.module.css";
import { LeftOutLines } from "@/features/tapes/bulk/LeftOutLines";
import { countOf, formatExact } from "@/lib/format";
import { visibleText } from "@/lib/visibleText";
import { WordDiff } from "@/ui/WordDiff";

type Step = TransformSample["steps"][number];

const OPS: Record<string, string> = {
  changed: "changed",
  removed: "removed",
  inserted: "added",
};

export function TransformPreview({ preview }: { preview: Preview }) {
  return (
    <section className={`ts-stack ts-panel ${classes.preview}`} aria-label="Preview">
      <p role="status">{summarise(preview)}</p>
      <LeftOutLines leftOut={preview.left_out} />
      {preview.samples.map((sample, at) => (
        <details key={sample.tape_id} className={classes.sample} open={at === 0}>
          <summary className={`ts-fold ${classes.sampleTitle}`}>
            <span>{sample.title === "" ? "Untitled tape" : visibleText(sample.title)}</span>
            <span className="ts-dimmed">{countOf(sample.change_count, "change")}</span>
          </summary>
          {sample.steps.map((step, at) => (
            <ChangedStep key={at} step={step} />
          ))}
          {sample.change_count > sample.steps.length && (
            <p className={`ts-dimmed ${classes.step}`}>
              and {countOf(sample.change_count - sample.steps.length, "more change")}
            </p>
          )}
        </details>
      ))}
    </section>
  );
}

function ChangedStep({ step }: { step: Step }) {
  return (
    <div className={classes.step}>
      <p className={classes.stepTitle}>
        {step.op === "context"
          ? "Context of the tape"
          : `Step ${formatExact(step.position)}, ${visibleText(step.kind)}: ${OPS[step.op] ?? step.op}`}
      </p>
      {step.fields.map((field) => (
        <div key={field.path}>
          <code className="ts-hint">{visibleText(field.path)}</code>
          {field.words === null ? (
            <p className={classes.values}>
              <del>{show(field.old)}</del> <ins>{show(field.new)}</ins>
            </p>
          ) : (
            <WordDiff words={field.words} />
          )}
        </div>
      ))}
    </div>
  );
}

/** States how many tapes were checked: a count is never truncated silently. */
function summarise(preview: Preview): string {
  const { tape_count: total, looked_at: seen, changed_tapes: tapes } = preview;
  const changed =
    tapes === 0
      ? "nothing would change"
      : `${countOf(tapes, "tape")} would change, in ${countOf(preview.changed_steps, "place")}`;
  if (seen < total) {
    return `Of the newest ${formatExact(seen)} of ${countOf(total, "tape")}: ${changed}.`;
  }
  return `Of ${countOf(total, "tape")}: ${changed}.`;
}

const LONGEST = 400;

function show(value: unknown): string {
  if (value === null || value === undefined) return "nothing";
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return visibleText(text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text);
}
