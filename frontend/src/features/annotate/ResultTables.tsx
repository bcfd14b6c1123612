/** The answers to each item of a rubric, people's agreement, and each person's answer count. */
import { useQuery } from "@tanstack/react-query";

import { describeError } from "@/api/client";
import { queueResultsQuery } from "@/api/queues";
import type { ItemResult, Queue, QueueResults } from "@/api/types";
import classes from "@/features/annotate/lists.module.css";
import { countOf, formatSeconds, formatSigned } from "@/lib/format";
import { visibleText } from "@/lib/visibleText";
import { PlainTable } from "@/ui/PlainTable";
import { ErrorState, RowsSkeleton } from "@/ui/States";

export function ResultTables({ queue }: { queue: Queue }) {
  const results = useQuery(queueResultsQuery(queue.id));
  if (results.data === undefined) {
    return results.isError ? (
      <ErrorState
        title="The results could not be loaded"
        message={describeError(results.error)}
        onRetry={() => void results.refetch()}
      />
    ) : (
      <RowsSkeleton label="Loading the results" rows={6} />
    );
  }
  if (results.data.answer_count === 0) {
    return (
      <section className={classes.section}>
        <h2 className={`ts-row ${classes.heading}`}>Results</h2>
        <p className={`ts-hint ${classes.help}`}>Nobody has answered yet.</p>
      </section>
    );
  }
  return (
    <>
      <Answers results={results.data} />
      <People results={results.data} />
    </>
  );
}

const MEASURES = "Krippendorff's alpha and Cohen's kappa: 1 is full agreement, 0 is chance.";

function Answers({ results }: { results: QueueResults }) {
  const rows = results.score === null ? results.items : [results.score, ...results.items];
  return (
    <section className={classes.section} aria-labelledby="queue-results">
      <h2 className={`ts-row ${classes.heading}`} id="queue-results">
        Results
      </h2>
      <PlainTable aria-label="Results">
        <thead>
          <tr>
            <th scope="col">Question</th>
            <th scope="col">Answers</th>
            <th scope="col" data-align="end">
              Mean
            </th>
            <th scope="col" data-align="end" title="Share of answer pairs that are equal">
              Agree
            </th>
            <th scope="col" data-align="end" title={MEASURES}>
              Alpha
            </th>
            <th scope="col" data-align="end" title={MEASURES}>
              Kappa
            </th>
            <th scope="col" data-align="end" title="Items answered by two or more people">
              Shared
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <ResultRow key={row.key} row={row} />
          ))}
        </tbody>
      </PlainTable>
      <p className={`ts-hint ${classes.foot}`}>
        {MEASURES} Scales are treated as ordinal.
        {results.is_cut && ` Based on the newest ${results.answer_count} answers.`}
      </p>
    </section>
  );
}

function ResultRow({ row }: { row: ItemResult }) {
  const { agreement } = row;
  return (
    <tr>
      <td>{row.key === "" ? <strong>Score</strong> : visibleText(row.question)}</td>
      <td>
        <Spread row={row} />
      </td>
      <td data-align="end">{row.mean === null ? "–" : row.mean.toFixed(2)}</td>
      <td data-align="end">{formatShare(agreement?.percent ?? null)}</td>
      <td data-align="end">{formatMeasure(agreement?.alpha ?? null)}</td>
      <td data-align="end">{formatMeasure(agreement?.kappa ?? null)}</td>
      <td data-align="end">{agreement === null ? "–" : agreement.unit_count}</td>
    </tr>
  );
}

/** Three decimals, as usual in publications; a dash if the answers do not define the measure. */
export function formatMeasure(measure: number | null): string {
  return measure === null ? "–" : formatSigned(measure, 3);
}

function formatShare(share: number | null): string {
  return share === null ? "–" : `${Math.round(100 * share)} %`;
}

const MOST_BARS = 11;

function Spread({ row }: { row: ItemResult }) {
  const given = row.values.filter(({ count }) => count > 0);
  if (row.values.length === 0) return <>{countOf(row.answer_count, "text")}</>;
  if (given.length === 0) return <span className="ts-dimmed">none</span>;
  const shown = row.values.length <= MOST_BARS ? row.values : given.slice(0, MOST_BARS);
  return (
    <span className={classes.bars}>
      {shown.map(({ value, count }) => (
        <span key={value} className={`ts-inline ${classes.bar}`}>
          {visibleText(value)}
          <span className={classes.track} aria-hidden="true">
            <i style={{ width: `${(100 * count) / Math.max(1, row.answer_count)}%` }} />
          </span>
          <span className="ts-dimmed">{count}</span>
        </span>
      ))}
      {given.length > shown.length && (
        <span className="ts-dimmed">{given.length - shown.length} more values</span>
      )}
    </span>
  );
}

function People({ results }: { results: QueueResults }) {
  return (
    <section className={classes.section} aria-labelledby="queue-people">
      <h2 className={`ts-row ${classes.heading}`} id="queue-people">
        People
      </h2>
      <PlainTable aria-label="People" fit="words">
        <thead>
          <tr>
            <th scope="col">Person</th>
            <th scope="col" data-align="end">
              Answers
            </th>
            <th scope="col" data-align="end">
              Mean score
            </th>
            <th scope="col" data-align="end">
              Median time
            </th>
          </tr>
        </thead>
        <tbody>
          {results.people.map(({ person, answer_count, mean_score, median_seconds }) => (
            <tr key={person}>
              <td>{visibleText(person)}</td>
              <td data-align="end">{answer_count}</td>
              <td data-align="end">{mean_score === null ? "–" : mean_score.toFixed(2)}</td>
              <td data-align="end">{formatSeconds(median_seconds)}</td>
            </tr>
          ))}
        </tbody>
      </PlainTable>
    </section>
  );
}
