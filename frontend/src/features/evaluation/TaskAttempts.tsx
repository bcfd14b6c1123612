/** The attempts at one task of a sweep with their results and reasons; each opens its tape. */
import { Link } from "react-router";

import type { SweepReport } from "@/api/types";
import { OpenVerdict } from "@/features/evaluation/OpenVerdict";
import classes from "@/features/evaluation/evaluation.module.css";
import { countOf } from "@/lib/format";
import { visibleText } from "@/lib/visibleText";
import { OutcomeMark } from "@/ui/OutcomeMark";

/** Further attempts can be read on their tapes and in the export. */
const MOST_ATTEMPTS = 40;

interface TaskAttemptsProps {
  task: SweepReport["tasks"][number];
  jobId: string;
  /** The id of the deciding scoring; `null` if outcomes decide. */
  scoringId: string | null;
  /** The letters of the variants, in the order of the cells. */
  letters: readonly string[];
}

export function TaskAttempts({ task, jobId, scoringId, letters }: TaskAttemptsProps) {
  const attempts = task.cells.flatMap((cell, at) =>
    cell.map((attempt, number) => ({ ...attempt, name: `${letters[at] ?? ""}${number + 1}` })),
  );
  const right = attempts.find(({ passed }) => passed === true);
  const wrong = attempts.find(({ passed }) => passed === false);
  const title = visibleText(task.title);
  return (
    <section className={classes.chosen} aria-label={`Attempts at ${title}`}>
      <h3 className={classes.heading}>{title}</h3>
      <ul className={classes.reasons}>
        {attempts.slice(0, MOST_ATTEMPTS).map((attempt) => (
          <li key={attempt.tape_id}>
            <Link to={`/t/${attempt.tape_id}`}>{attempt.name}</Link>{" "}
            <OutcomeMark outcome={outcomeOf(attempt.passed)} />{" "}
            {attempt.answer !== "" && (
              <>
                <q>{visibleText(attempt.answer)}</q>{" "}
              </>
            )}
            {attempt.is_chosen && (
              <>
                <em>chosen by vote</em>{" "}
              </>
            )}
            {visibleText(attempt.why) || (attempt.answer === "" && "No reason was given.")}
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
      {right !== undefined && wrong !== undefined && (
        <p>
          <Link to={`/t/${right.tape_id}/diff/${wrong.tape_id}`}>
            Compare {right.name}, which passed, with {wrong.name}, which failed
          </Link>
        </p>
      )}
      {attempts.length > MOST_ATTEMPTS && (
        <p className="ts-hint">
          {countOf(attempts.length - MOST_ATTEMPTS, "more attempt")}: export the report as CSV.
        </p>
      )}
    </section>
  );
}

const outcomeOf = (passed: boolean | null) => (passed === null ? "" : passed ? "pass" : "fail");
