/** The attempts at one task of a sweep, side by side: answer, verdict, reason; each opens its tape. */
import { Button } from "@mantine/core";
import { Link } from "react-router";

import type { SweepReport } from "@/api/types";
import { OpenVerdict } from "@/features/evaluation/OpenVerdict";
import classes from "@/features/evaluation/evaluation.module.css";
import { countOf } from "@/lib/format";
import { visibleText } from "@/lib/visibleText";
import { OutcomeMark } from "@/ui/OutcomeMark";

/** Further attempts can be read on their tapes and in the export. */
const MOST_ATTEMPTS = 40;

type Task = SweepReport["tasks"][number];

interface TaskAttemptsProps {
  task: Task;
  jobId: string;
  /** The id of the deciding scoring; `null` if outcomes decide. */
  scoringId: string | null;
  /** In the order of the cells. */
  variants: SweepReport["sweep"]["variants"];
  /** Shows the task before or after this one in the table; `null`: there is none. */
  onPrevious: (() => void) | null;
  onNext: (() => void) | null;
}

export function TaskAttempts(props: TaskAttemptsProps) {
  const { task, jobId, scoringId, variants, onPrevious, onNext } = props;
  const attempts = task.cells.flatMap((cell, at) =>
    cell.map((attempt, number) => ({
      ...attempt,
      name: `${variants[at]?.letter ?? ""}${number + 1}`,
      label: variants[at]?.label ?? "",
    })),
  );
  const right = attempts.find(({ passed }) => passed === true);
  const wrong = attempts.find(({ passed }) => passed === false);
  const title = visibleText(task.title);
  return (
    <section className="ts-stack" aria-label={`Attempts at ${title}`}>
      <h3 className="ts-words">{title}</h3>
      {task.expected !== "" && (
        <p>
          <span className="ts-dimmed">Expected:</span> <q>{visibleText(task.expected)}</q>
        </p>
      )}
      <ul className={classes.sides}>
        {attempts.slice(0, MOST_ATTEMPTS).map((attempt) => (
          <li key={attempt.tape_id} className={`ts-panel ts-column ${classes.side}`}>
            <span className="ts-row">
              <Link to={`/t/${attempt.tape_id}`}>{attempt.name}</Link>{" "}
              <OutcomeMark outcome={outcomeOf(attempt.passed)} />{" "}
              {attempt.value !== null && (
                <span className="ts-number" title="Score from 0 to 1">
                  {attempt.value.toFixed(2)}{" "}
                </span>
              )}
              {attempt.is_chosen && (
                <>
                  <em>chosen by vote</em>{" "}
                </>
              )}
            </span>
            <span className="ts-caption">{visibleText(attempt.label)} </span>
            {attempt.answer !== "" && (
              <>
                <q className="ts-words">{visibleText(attempt.answer)}</q>{" "}
              </>
            )}
            <span className="ts-words ts-dimmed">
              {visibleText(attempt.why) || (attempt.answer === "" && "No reason was given.")}
            </span>
            {attempt.has_verdict && scoringId !== null && (
              <OpenVerdict
                jobId={jobId}
                scoringId={scoringId}
                tapeId={attempt.tape_id}
                name={attempt.name}
              />
            )}
          </li>
        ))}
      </ul>
      {attempts.length > MOST_ATTEMPTS && (
        <p className="ts-hint">
          {countOf(attempts.length - MOST_ATTEMPTS, "more attempt")}: export the report as CSV.
        </p>
      )}
      {right !== undefined && wrong !== undefined && (
        <p>
          <Link to={`/t/${right.tape_id}/diff/${wrong.tape_id}`}>
            Compare {right.name}, which passed, with {wrong.name}, which failed
          </Link>
        </p>
      )}
      <div className="ts-row">
        <Button variant="default" disabled={onPrevious === null} onClick={() => onPrevious?.()}>
          Previous task
        </Button>
        <Button variant="default" disabled={onNext === null} onClick={() => onNext?.()}>
          Next task
        </Button>
      </div>
    </section>
  );
}

const outcomeOf = (passed: boolean | null) => (passed === null ? "" : passed ? "pass" : "fail");
