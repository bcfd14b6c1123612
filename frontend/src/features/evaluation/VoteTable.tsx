/** What each variant scores if the attempts at each task vote on the answer. */
import type { SweepReport } from "@/api/types";
import classes from "@/features/evaluation/evaluation.module.css";
import { pointsOf } from "@/lib/points";
import { isFinished } from "@/api/jobs";
import { countOf, formatExact, formatRate } from "@/lib/format";
import { visibleText } from "@/lib/visibleText";
import { PlainTable } from "@/ui/PlainTable";
import { RateBar } from "@/ui/RateBar";

/** A vote of two is the first of them. */
const LEAST_ATTEMPTS = 3;

type Variant = SweepReport["variants"][number];
type Vote = NonNullable<Variant["vote"]>;

export function VoteTable({ report: { sweep, variants } }: { report: SweepReport }) {
  const k = sweep.attempts.length;
  if (k < LEAST_ATTEMPTS) return null;
  const voted = variants.flatMap(({ variant, vote }) => (vote === null ? [] : [{ variant, vote }]));
  return (
    <section className="ts-section" aria-labelledby="by-vote">
      <h2 className={classes.heading} id="by-vote">
        By vote of {k} attempts
      </h2>
      {voted.length === 0 ? (
        <p className="ts-hint">{whyNone(sweep.state)}</p>
      ) : (
        <>
          <PlainTable aria-labelledby="by-vote">
            <thead>
              <tr>
                <th scope="col">Variant</th>
                <th scope="col" title="Share of runs that pass, at the tasks that were voted on">
                  One run
                </th>
                <th scope="col" title="The answer that most attempts at a task gave is handed in">
                  Vote
                </th>
                <th scope="col" title="The vote less one run, with its 95 % interval">
                  Difference
                </th>
                <th
                  scope="col"
                  data-align="end"
                  title="Tasks at which the vote gives another answer than the first run"
                >
                  Differs at
                </th>
                <th scope="col" data-align="end" title="There, right instead of wrong">
                  Gained
                </th>
                <th scope="col" data-align="end" title="There, wrong instead of right">
                  Lost
                </th>
                <th
                  scope="col"
                  data-align="end"
                  data-hide
                  title="Tasks at which answers were equally frequent; the first one won"
                >
                  Tied
                </th>
              </tr>
            </thead>
            <tbody>
              {voted.map(({ variant, vote }) => (
                <VoteRow key={variant.letter} variant={variant} vote={vote} />
              ))}
            </tbody>
          </PlainTable>
          {voted.map(({ variant: { letter }, vote: { left_out_count: count } }) =>
            count === 0 ? null : (
              <p key={letter} className="ts-hint">
                Of {letter}, {countOf(count, "task")} {count === 1 ? "is" : "are"} not counted: runs
                are not over, or the chosen one has no verdict.
              </p>
            ),
          )}
        </>
      )}
    </section>
  );
}

function whyNone(state: SweepReport["sweep"]["state"]): string {
  return isFinished(state)
    ? "There is no vote: no task has a verdict at all attempts, or most answers are prose, which cannot be compared."
    : "The vote is shown when all attempts at a task are over.";
}

function VoteRow({ variant, vote }: { variant: Variant["variant"]; vote: Vote }) {
  return (
    <tr>
      <th scope="row" title={visibleText(variant.label)} className={classes.letter}>
        {variant.letter}
      </th>
      <td className="ts-number">{formatRate(vote.one_run.estimate)}</td>
      <td>
        <span className="ts-row ts-number">
          <RateBar rate={vote.vote.estimate} /> {formatRate(vote.vote.estimate)}
        </span>
      </td>
      <td className={`ts-number ${classes.difference}`}>{pointsOf(vote.difference)}</td>
      <td data-align="end" className="ts-number">
        {formatExact(vote.differing_count)} of {formatExact(vote.vote.tasks)}
      </td>
      <td data-align="end" className="ts-number">
        {formatExact(vote.gained_count)}
      </td>
      <td data-align="end" className="ts-number">
        {formatExact(vote.lost_count)}
      </td>
      <td data-align="end" data-hide className="ts-number">
        {formatExact(vote.tied_count)}
      </td>
    </tr>
  );
}
