/** The variants of a sweep: the score of each, its difference from the baseline, and its cost. */
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";

import { agentsQuery } from "@/api/agents";
import type { SweepReport } from "@/api/types";
import { PublishButton } from "@/features/agents/publish/PublishButton";
import classes from "@/features/evaluation/evaluation.module.css";
import { barePoints, pointsOf } from "@/lib/points";
import { ELAPSED } from "@/lib/durations";
import { formatExact, formatRate } from "@/lib/format";
import { visibleText } from "@/lib/visibleText";
import { PlainTable } from "@/ui/PlainTable";
import { Duration, SummedCost, Tokens } from "@/ui/Quantities";
import { RateBar } from "@/ui/RateBar";

type Variant = SweepReport["variants"][number];

export function VariantTable({ report: { sweep, variants } }: { report: SweepReport }) {
  const k = sweep.attempts.length;
  const compared = variants.flatMap(({ batches }) => batches.map(({ batch_id: id }) => id));
  return (
    <section className="ts-section" aria-labelledby="variants">
      <div className={`ts-row ${classes.heading}`}>
        <h2 id="variants">Variants</h2>
        {compared.length > 1 && compared.length <= 12 && (
          <Link to={`/batches/matrix?ids=${compared.join(",")}`}>Compare the batches</Link>
        )}
      </div>
      <PlainTable aria-labelledby="variants">
        <thead>
          <tr>
            <th scope="col">Variant</th>
            <th scope="col" title="Share of tasks that pass, with its 95 % interval over tasks">
              Passed
            </th>
            {k > 1 && (
              <th scope="col" data-hide title={`Share of tasks of which all ${k} attempts pass`}>
                All {k}
              </th>
            )}
            <th scope="col" title="On the tasks of both; the sentence above has its 95 % interval">
              Against A
            </th>
            <th
              scope="col"
              data-align="end"
              title="Runs without a verdict: not run, failed, out of the budget or not judged"
            >
              Missing
            </th>
            <th scope="col" data-align="end" data-hide>
              Tokens
            </th>
            <th scope="col" data-align="end" data-hide="phone">
              Cost
            </th>
            <th scope="col" data-align="end" data-hide title={`Mean of a run. ${ELAPSED}`}>
              Elapsed
            </th>
            <th scope="col" data-hide="phone">
              Tapes
            </th>
            <th scope="col">Version</th>
          </tr>
        </thead>
        <tbody>
          {variants.map((row) => (
            <VariantRow key={row.variant.letter} row={row} k={k} />
          ))}
        </tbody>
      </PlainTable>
    </section>
  );
}

function VariantRow({ row, k }: { row: Variant; k: number }) {
  const { variant, score, difference, batches } = row;
  return (
    <tr>
      <th scope="row" className={classes.variant}>
        <span className={classes.letter}>{variant.letter}</span> {visibleText(variant.label)}
      </th>
      <td>
        {score === null ? (
          <span className={`ts-dimmed ${classes.words}`}>
            Nothing is judged. {visibleText(row.unjudged)}
          </span>
        ) : (
          <span className="ts-row ts-number">
            <RateBar rate={score.estimate} /> {formatRate(score.estimate)}
            {row.mean_value !== null && (
              <span
                className="ts-dimmed"
                title="Mean of the scores from 0 to 1, with its 95 % interval"
              >
                ⌀ {row.mean_value.estimate.value.toFixed(2)}
              </span>
            )}
          </span>
        )}
      </td>
      {k > 1 && (
        <td data-hide className="ts-number">
          {row.all_attempts !== null && formatRate(row.all_attempts.estimate)}
        </td>
      )}
      <td className={`ts-number ${classes.difference}`}>
        {difference !== null && (
          <span title={pointsOf(difference)}>{barePoints(difference.value)}</span>
        )}
      </td>
      <td data-align="end" className="ts-number">
        {row.missing_count === 0 ? "" : formatExact(row.missing_count)}
      </td>
      <td data-align="end" data-hide>
        <Tokens value={row.tokens} />
      </td>
      <td data-align="end" data-hide="phone">
        <SummedCost sum={row} />
      </td>
      <td data-align="end" data-hide>
        <Duration value={row.mean_seconds} />
      </td>
      <td data-hide="phone">
        <span className={classes.links}>
          {batches.map(({ key, batch_id: id, seed }) => (
            <Link
              key={key}
              to={`/tapes?batch=${id}`}
              title={seed === null ? `Attempt ${key}` : `Attempt ${key}, seed ${seed}`}
            >
              {key}
            </Link>
          ))}
        </span>
      </td>
      <td>
        <PublishVariant variant={variant} />
      </td>
    </tr>
  );
}

/** Publishes what was measured: a version with its own model and parameters, not with others. */
function PublishVariant({ variant }: Pick<Variant, "variant">) {
  const { agent_version_id: id, model_id: model, parameters } = variant;
  const agents = useQuery(agentsQuery()).data ?? [];
  for (const agent of agents) {
    const version = agent.numbered_versions.find((one) => one.id === id);
    if (version === undefined) continue;
    const isAsItIs = model === null && Object.keys(parameters).length === 0;
    if (isAsItIs) return <PublishButton agent={agent} version={version} />;
  }
  return null;
}
