/** Batches by metric: each mean, and its difference from the baseline over the tasks of both. */
import { Radio } from "@mantine/core";
import { Link } from "react-router";

import type { BatchMatrix, BatchMetric, BatchTotals, MatrixRow } from "@/api/types";
import classes from "@/features/batches/batches.module.css";
import {
  boundsWords,
  formatMetric,
  METRIC_WORDS,
  METRICS,
  pointsBounds,
  pValueWords,
  signedMetric,
  signedPoints,
} from "@/features/batches/metrics";
import { PlainTable } from "@/ui/PlainTable";
import { RateBar } from "@/ui/RateBar";
import { countOf, formatRate } from "@/lib/format";
import { visibleText } from "@/lib/visibleText";

interface MatrixTableProps {
  matrix: BatchMatrix;
  onBaseline: (id: string) => void;
}

export function MatrixTable({ matrix, onBaseline }: MatrixTableProps) {
  const metrics = METRICS.filter((metric) =>
    matrix.rows.some(({ totals }) => totals.means.some((one) => one.metric === metric)),
  );
  return (
    <section className="ts-section" aria-labelledby="batch-matrix">
      <h2 className={`ts-row ${classes.heading}`} id="batch-matrix">
        Means, and paired differences from the baseline
      </h2>
      <PlainTable aria-labelledby="batch-matrix" fit="words">
        <thead>
          <tr>
            <th scope="col">Batch</th>
            <th scope="col">Baseline</th>
            <th scope="col" data-align="end" data-hide="phone">
              Tapes
            </th>
            <th scope="col">Pass rate</th>
            {metrics.map((metric) => (
              <th key={metric} scope="col" data-align="end">
                {METRIC_WORDS[metric]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {matrix.rows.map((row) => (
            <tr key={row.totals.id}>
              <th scope="row" title={visibleText(row.totals.name)}>
                <Link className={classes.link} to={tapesOf(row.totals)}>
                  {visibleText(row.totals.name)}
                </Link>
              </th>
              <td>
                <Radio
                  size="xs"
                  name="baseline"
                  aria-label={`Baseline: ${visibleText(row.totals.name)}`}
                  checked={row.totals.id === matrix.baseline}
                  onChange={() => onBaseline(row.totals.id)}
                />
              </td>
              <td data-align="end" data-hide="phone" title={describeTapes(row)}>
                {row.totals.tape_count}
                {row.totals.is_cut && "+"}
              </td>
              <td>
                <PassRate row={row} />
              </td>
              {metrics.map((metric) => (
                <td key={metric} data-align="end">
                  <Mean row={row} metric={metric} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </PlainTable>
    </section>
  );
}

function PassRate({
  row: { totals, pass_difference: difference, p_value: p },
}: {
  row: MatrixRow;
}) {
  if (totals.pass_rate === null) return <span className="ts-dimmed">Not judged</span>;
  return (
    <span className={`ts-inline ${classes.rate}`}>
      <RateBar rate={totals.pass_rate} />
      {formatRate(totals.pass_rate)}
      {difference !== null && p !== null && (
        <span
          className="ts-dimmed"
          title={`${pointsBounds(difference)} points over ${countOf(difference.count, "pair")}, McNemar ${pValueWords(p)}`}
        >
          {signedPoints(difference.value)}
        </span>
      )}
    </span>
  );
}

function Mean({ row, metric }: { row: MatrixRow; metric: BatchMetric }) {
  const mean = row.totals.means.find((one) => one.metric === metric)?.mean;
  const found = row.differences.find((one) => one.metric === metric)?.difference;
  if (mean === undefined) return <span className="ts-dimmed">–</span>;
  return (
    <>
      {formatMetric(metric, mean.value)}
      {found !== undefined && (
        <span
          className="ts-dimmed"
          title={`${boundsWords(metric, found)} over ${countOf(found.count, "pair")}`.trim()}
        >
          {" "}
          {signedMetric(metric, found.value)}
        </span>
      )}
    </>
  );
}

function describeTapes({ totals, pair_count }: MatrixRow): string {
  const more = totals.is_cut ? ", and more that were not compared" : "";
  return `${countOf(totals.tape_count, "tape")}${more}; ${countOf(pair_count, "pair")} with the baseline`;
}

function tapesOf({ id, is_search }: BatchTotals): string {
  return `/tapes?${is_search ? "lens" : "batch"}=${id}`;
}
