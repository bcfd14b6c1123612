/** The examples of a step that were learnt worst, with the way back to their tapes. */
import { useQuery } from "@tanstack/react-query";

import { describeError } from "@/api/client";
import { originsQuery } from "@/api/training";
import type { TrainingStep } from "@/api/trainingEvents";
import { OriginLink } from "@/features/training/OriginLink";
import classes from "@/features/training/training.module.css";
import { formatScore } from "@/lib/format";
import { PlainTable } from "@/ui/PlainTable";
import { ShortId } from "@/ui/ShortId";

const SHOWN = 5;

export function WorstExamples({ step, setId }: { step: TrainingStep; setId: string }) {
  const origins = useQuery(originsQuery(setId));
  const worst = Object.entries(step.examples)
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, SHOWN);
  return (
    <section className={classes.section} aria-labelledby="worst">
      <h2 id="worst" className={classes.sectionTitle}>
        Worst examples of step {step.step}
      </h2>
      {origins.isError && (
        <p role="alert">Their tapes are not known: {describeError(origins.error)}</p>
      )}
      <PlainTable fit="words" aria-labelledby="worst">
        <thead>
          <tr>
            <th scope="col">Example</th>
            <th scope="col" data-align="end">
              Loss
            </th>
            <th scope="col">Made of</th>
          </tr>
        </thead>
        <tbody>
          {worst.map(([id, loss]) => {
            const origin = origins.data?.get(id);
            return (
              <tr key={id}>
                <td>
                  <ShortId id={id} />
                </td>
                <td data-align="end" className="ts-number">
                  {formatScore(loss)}
                </td>
                <td>{origin === undefined ? "–" : <OriginLink origin={origin} />}</td>
              </tr>
            );
          })}
        </tbody>
      </PlainTable>
    </section>
  );
}
