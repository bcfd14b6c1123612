/** The average change over the pairs, with the interval of the paired difference. */
import type { BatchDiff } from "@/api/types";
import classes from "@/features/batches/batches.module.css";
import { boundsWords, formatMetric, METRIC_WORDS, signedMetric } from "@/features/batches/metrics";
import { PlainTable } from "@/ui/PlainTable";

export function MetricTable({ diff: { metrics } }: { diff: BatchDiff }) {
  return (
    <section aria-labelledby="batch-metrics">
      <h2 className={`ts-row ${classes.heading}`} id="batch-metrics">
        Means over pairs
      </h2>
      {metrics.length === 0 ? (
        <p className={classes.note}>No pairs.</p>
      ) : (
        <PlainTable aria-labelledby="batch-metrics" fit="words">
          <thead>
            <tr>
              <th scope="col">Metric</th>
              <th scope="col" data-align="end">
                Left
              </th>
              <th scope="col" data-align="end">
                Right
              </th>
              <th scope="col" data-align="end">
                Difference
              </th>
              <th scope="col">95 % interval</th>
            </tr>
          </thead>
          <tbody>
            {metrics.map(({ metric, left, right, difference }) => (
              <tr key={metric} title={`${difference.count} pairs`}>
                <th scope="row">{METRIC_WORDS[metric]}</th>
                <td data-align="end">{formatMetric(metric, left)}</td>
                <td data-align="end">{formatMetric(metric, right)}</td>
                <td data-align="end">{signedMetric(metric, difference.value)}</td>
                <td className="ts-dimmed">{boundsWords(metric, difference) || "–"}</td>
              </tr>
            ))}
          </tbody>
        </PlainTable>
      )}
    </section>
  );
}
