/** The content of a tape preview: numbers, answers, key steps, tags, findings. */
import { useQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { Link } from "react-router";

import { wholeStepQuery } from "@/api/tapes";
import type { KeyStep, TapePreview } from "@/api/types";
import classes from "@/features/tapes/peek/peek.module.css";
import { findColumn } from "@/features/tapes/table/tapeColumns";
import { countOf } from "@/lib/format";
import { visualFamily } from "@/lib/families";
import { partsOf } from "@/lib/stepParts";
import { visibleText } from "@/lib/visibleText";
import { FoldedText } from "@/ui/FoldedText";
import { StepParts } from "@/ui/parts/StepParts";
import { SEVERITY_WORDS, SeverityIcon } from "@/ui/SeverityIcon";
import { FamilyIcon } from "@/ui/StepKindBadge";
import { TagChips } from "@/ui/TagChips";

const NUMBERS = ["steps", "errors", "calls", "tokens", "cost", "duration", "score", "created"];

export function PeekBody({ preview }: { preview: TapePreview }) {
  const { tape, findings, steps } = preview;
  const answer = lastAnswer(preview);
  return (
    <div className={classes.body}>
      <dl className={classes.numbers}>
        {NUMBERS.map((id) => {
          const column = findColumn(id);
          return (
            column !== undefined && (
              <div key={id} title={column.hint}>
                <dt>{column.label}</dt>
                <dd>{column.cell(tape)}</dd>
              </div>
            )
          );
        })}
      </dl>
      <Words title="Task" text={tape.task} />
      <Words title="Expected" text={tape.expected} />
      <Words title="Actual" text={tape.actual} />
      <Part title="Steps">
        {steps.length === 0 ? (
          <p className="ts-dimmed">This tape has no steps yet.</p>
        ) : (
          <Steps preview={preview} />
        )}
      </Part>
      <Images preview={preview} />
      {answer !== undefined && (
        <Words title="Last answer" text={answer.excerpt} isCut={answer.is_cut} />
      )}
      {tape.tags.length > 0 && (
        <Part title="Tags">
          <TagChips tags={tape.tags} />
        </Part>
      )}
      {findings.length > 0 && (
        <Part title="Findings">
          <ul>
            {findings.map(({ detector, title, severity, count, position }) => (
              <li key={detector}>
                <Link className={`ts-row ${classes.step}`} to={`/t/${tape.id}?step=${position}`}>
                  <SeverityIcon severity={severity} />
                  <span className="ts-truncate">
                    <span className="ts-visually-hidden">{SEVERITY_WORDS[severity]}: </span>
                    {visibleText(title)}
                  </span>
                  {count > 1 && <span className={`ts-hint ${classes.place}`}>{count} times</span>}
                </Link>
              </li>
            ))}
          </ul>
        </Part>
      )}
    </div>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={classes.part}>
      <h3 className={classes.heading}>{title}</h3>
      {children}
    </section>
  );
}

interface WordsProps {
  title: string;
  text: string;
  /** The text continues on the tape. */
  isCut?: boolean;
}

function Words({ title, text, isCut = false }: WordsProps) {
  const [isOpen, setOpen] = useState(false);
  if (text === "") return null;
  return (
    <Part title={title}>
      <FoldedText text={text} isOpen={isOpen} onToggle={() => setOpen(!isOpen)} />
      {isCut && <p className="ts-dimmed">Truncated; open the tape to see all.</p>}
    </Part>
  );
}

/** More images are shown on the tape. */
const MOST_IMAGES = 2;

/** The images of the last key steps that have one. */
function Images({ preview: { tape, steps } }: { preview: TapePreview }) {
  const shown = steps.filter(({ has_image: hasImage }) => hasImage).slice(-MOST_IMAGES);
  if (shown.length === 0) return null;
  return (
    <Part title="Images">
      {shown.map(({ position }) => (
        <StepImages key={position} tapeId={tape.id} position={position} />
      ))}
    </Part>
  );
}

function StepImages({ tapeId, position }: { tapeId: string; position: number }) {
  const step = useQuery(wholeStepQuery(tapeId, position));
  const parts = partsOf(step.data?.body ?? {}).filter(({ type }) => type === "image");
  if (parts.length === 0) return null;
  return (
    <figure className={classes.images}>
      <StepParts slot={`${tapeId}.${position}.peek`} parts={parts} />
      <figcaption className="ts-hint">step {position}</figcaption>
    </figure>
  );
}

function Steps({ preview: { tape, steps, first_error: firstError } }: { preview: TapePreview }) {
  return (
    <ol>
      {steps.map((step, index) => {
        const left = step.position - (steps[index - 1]?.position ?? -1) - 1;
        return (
          <li key={step.position}>
            {left > 0 && <p className={`ts-hint ${classes.gap}`}>{countOf(left, "more step")}</p>}
            <Link
              className={`ts-row ${classes.step}`}
              to={`/t/${tape.id}?step=${step.position}`}
              data-failing={step.is_error || undefined}
              title={visibleText(step.kind)}
            >
              <span className={`ts-hint ${classes.place}`}>{step.position}</span>
              <FamilyIcon family={visualFamily(step.kind, step.family, step.is_error)} size={14} />
              <span className={`ts-truncate ${classes.summary}`}>
                {step.gist === "" ? visibleText(step.kind) : visibleText(step.gist)}
              </span>
              {step.position === firstError && <span className={classes.first}>first error</span>}
            </Link>
          </li>
        );
      })}
    </ol>
  );
}

/** The last key step in which the agent produces text. */
function lastAnswer({ steps }: TapePreview): KeyStep | undefined {
  return steps.findLast(
    ({ family, is_error, excerpt }) =>
      (family === "action" || family === "thought") && !is_error && excerpt !== "",
  );
}
