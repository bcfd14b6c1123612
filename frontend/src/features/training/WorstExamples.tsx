/** The examples of a step with the highest loss, with links to their tapes. */
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link } from "react-router";

import { describeError } from "@/api/client";
import { exampleRowsQuery } from "@/api/trainingExamples";
import type { TrainingStep } from "@/api/trainingEvents";
import { OriginLink } from "@/features/training/OriginLink";
import classes from "@/features/training/training.module.css";
import { formatExact, formatScore } from "@/lib/format";
import { PlainTable } from "@/ui/PlainTable";
import { ShortId } from "@/ui/ShortId";

const SHOWN = 5;

export function WorstExamples({ step, setId }: { step: TrainingStep; setId: string }) {
  const worst = Object.entries(step.examples)
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, SHOWN);
  const ids = worst.map(([id]) => id);
  const rows = useQuery({ ...exampleRowsQuery(setId, ids), placeholderData: keepPreviousData });
  return (
    <section className="ts-section" aria-labelledby="worst">
      <h2 id="worst" className={classes.sectionTitle}>
        Worst examples of step {step.step}
      </h2>
      {rows.isError && (
        <p role="alert">Their tapes could not be loaded: {describeError(rows.error)}</p>
      )}
      <PlainTable fit="words" aria-labelledby="worst">
        <thead>
          <tr>
            <th scope="col">Example</th>
            <th scope="col" data-align="end">
              Loss
            </th>
            <th scope="col">Source</th>
          </tr>
        </thead>
        <tbody>
          {worst.map(([id, loss]) => {
            const row = rows.data?.get(id);
            return (
              <tr key={id}>
                <td>
                  {row === undefined ? (
                    <ShortId id={id} />
                  ) : (
                    <Link to={`/training/sets/${setId}?${new URLSearchParams({ example: id })}`}>
                      Example {formatExact(row.number + 1)}
                    </Link>
                  )}
                </td>
                <td data-align="end" className="ts-number">
                  {formatScore(loss)}
                </td>
                <td>{row === undefined ? "–" : <OriginLink origin={row} />}</td>
              </tr>
            );
          })}
        </tbody>
      </PlainTable>
    </section>
  );
}
