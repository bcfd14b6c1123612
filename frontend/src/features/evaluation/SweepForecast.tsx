/** The forecast for a sweep that has not started: runs, cost, tokens and time. */
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery, type UseQueryResult } from "@tanstack/react-query";

import { useChecked } from "@/api/checking";
import { describeError } from "@/api/client";
import { amendmentForecastQuery, sweepForecastQuery } from "@/api/sweeps";
import type { EstimateRange, SweepAmendment, SweepForecast, SweepRequest } from "@/api/types";
import classes from "@/features/evaluation/evaluation.module.css";
import { countOf, formatCost, formatExact, formatSeconds, formatTokens } from "@/lib/format";
import { dollars } from "@/lib/money";
import { visibleText } from "@/lib/visibleText";

const TYPING_MS = 400;

interface CheckedSweep {
  found: UseQueryResult<SweepForecast>;
  /** The sweep as it is now was checked, and has something to run. */
  mayStart: boolean;
}

/** Checks and forecasts what is typed; `null` while something is missing. */
export function useSweepForecast(request: SweepRequest | null): CheckedSweep {
  // The name does not affect the forecast, so typing it requests no new one.
  const { check, mayStart } = useChecked(request, (asked) =>
    sweepForecastQuery(asked && { ...asked, name: "preview" }),
  );
  return { found: check, mayStart: mayStart && (check.data?.new_count ?? 0) > 0 };
}

interface AmendmentForecastProps {
  jobId: string;
  amendment: Partial<SweepAmendment>;
}

export function AmendmentForecast({ jobId, amendment }: AmendmentForecastProps) {
  const [asked] = useDebouncedValue(amendment, TYPING_MS);
  return <Forecast found={useQuery(amendmentForecastQuery(jobId, asked))} />;
}

export function Forecast({ found }: { found: UseQueryResult<SweepForecast> }) {
  if (found.isError) return <p role="alert">{describeError(found.error)}</p>;
  if (!found.isSuccess) return <p className="ts-dimmed">Checking the tasks…</p>;
  const { variants, left_out: leftOut } = found.data;
  const unknown = variants.filter(({ run_count: runs, tokens }) => runs > 0 && tokens === null);
  return (
    <section className={`ts-stack ts-panel ${classes.preview}`} aria-label="Preview">
      <p role="status">{describeRuns(found.data)}</p>
      <p>{describeForecast(found.data)}</p>
      {found.data.reach !== "" && <p>{visibleText(found.data.reach)}</p>}
      {unknown.length > 0 && (
        <p className="ts-dimmed">
          Not run before: {unknown.map(({ variant }) => visibleText(variant.label)).join("; ")}.
        </p>
      )}
      {leftOut.map(({ why, tape_count: count }) => (
        <p key={why} className="ts-dimmed">
          {countOf(count, "task")} left out: {visibleText(why)}
        </p>
      ))}
    </section>
  );
}

/** "48 runs, 24 already there: 24 new." */
export function describeRuns(forecast: SweepForecast): string {
  const { run_count: all, there_count: there, new_count: fresh } = forecast;
  return there === 0
    ? `${countOf(fresh, "new run")}.`
    : `${countOf(all, "run")}, ${formatExact(there)} already there: ${formatExact(fresh)} new.`;
}

/** An unknown sum is shown as unknown, because it is not zero. */
export function describeForecast(forecast: SweepForecast): string {
  const { new_count: fresh, tokens, cost_micro_usd: cost, seconds } = forecast;
  if (fresh === 0) return "No new run is needed.";
  const parts = [
    `Cost ${range(cost, (one) => formatCost(dollars(one)))}`,
    `tokens ${range(tokens, (one) => formatTokens(Math.round(one)))}`,
    `time ${range(seconds, formatSeconds)}${seconds === null ? "" : " one run after the other"}`,
  ];
  return `${parts.join(", ")}.`;
}

function range(found: EstimateRange | null, show: (value: number) => string): string {
  if (found === null) return "unknown";
  const low = show(found.low);
  const high = show(found.high);
  return low === high ? low : `about ${show(found.likely)} (${low} to ${high})`;
}
