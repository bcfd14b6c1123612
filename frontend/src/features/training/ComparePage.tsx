/** Up to four finetunes side by side: their losses, and where their options differ. */
import { Button } from "@mantine/core";
import { useQueries, useQueryClient } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { Link, useSearchParams } from "react-router";

import { describeError, wayBack } from "@/api/client";
import { isFinished } from "@/api/jobs";
import { finetuneConfigQuery, finetuneQuery, trainingSetQuery } from "@/api/training";
import { trainingLogQuery, type TrainingLog } from "@/api/trainingEvents";
import type { Finetune } from "@/api/types";
import { compareOptions, readCompared } from "@/features/training/comparison";
import { NameLink } from "@/features/training/NameLink";
import classes from "@/features/training/training.module.css";
import { formatExact, formatScore } from "@/lib/format";
import { useAddress } from "@/lib/useAddress";
import { visibleText } from "@/lib/visibleText";
import { JobStateBadge } from "@/ui/JobStateBadge";
import { LineChart } from "@/ui/LineChart";
import { MoreButton } from "@/ui/MoreButton";
import { PageHeader } from "@/ui/PageHeader";
import { PlainTable } from "@/ui/PlainTable";
import { EmptyState, ErrorState, RowsSkeleton } from "@/ui/States";

export function ComparePage() {
  const [address] = useSearchParams();
  const ids = readCompared(address);
  const finetunes = useQueries({ queries: ids.map(finetuneQuery) });
  const failed = finetunes.find(({ data, isError }) => isError && data === undefined);
  const rows = finetunes.flatMap(({ data }) => data ?? []);
  return (
    <>
      <PageHeader title="Compare finetunes">
        <Button component={Link} to="/training" variant="default">
          All finetunes
        </Button>
      </PageHeader>
      {ids.length === 0 ? (
        <EmptyState title="No finetune is chosen">
          Choose up to four in the <Link to="/training">list of finetunes</Link>.
        </EmptyState>
      ) : failed !== undefined ? (
        <ErrorState
          title="A finetune could not be loaded"
          message={describeError(failed.error)}
          back={wayBack(failed.error, "/training", "training")}
          onRetry={() => void failed.refetch()}
        />
      ) : rows.length < ids.length ? (
        <RowsSkeleton label="Loading the finetunes" rows={6} />
      ) : (
        <div className="ts-page">
          <Losses finetunes={rows} />
          <Options finetunes={rows} />
        </div>
      )}
    </>
  );
}

/** Two finetunes may share a name; the chart needs distinct ones. */
function namesOf(finetunes: readonly Finetune[]): string[] {
  return finetunes.map(({ name }, at) => {
    const before = finetunes.slice(0, at).filter((other) => other.name === name).length;
    return before === 0 ? visibleText(name) : `${visibleText(name)} (${before + 1})`;
  });
}

function Losses({ finetunes }: { finetunes: readonly Finetune[] }) {
  const queries = useQueryClient();
  const [address, change] = useAddress();
  const logs = useQueries({
    queries: finetunes.map(({ job_id: id, state }) =>
      trainingLogQuery(queries, id, !isFinished(state)),
    ),
  });
  const failed = logs.find(({ isError }) => isError);
  const names = namesOf(finetunes);
  const found = logs.map(({ data }) => data);
  const isEvaluated = found.some((log) => (log?.evaluations.length ?? 0) > 0);
  const asked = address.get("step");
  const common = {
    format: formatScore,
    chosen: asked === null ? null : Number(asked),
    onChoose: (step: number) => change({ step: String(step) }, { replace: true }),
  };
  return (
    <section className="ts-section" aria-label="Loss">
      {failed !== undefined && (
        <p role="alert">Not all curves could be loaded: {describeError(failed.error)}</p>
      )}
      <LineChart label="Loss" curves={curvesOf(names, found, "steps")} {...common} />
      {isEvaluated && (
        <LineChart
          label="Held-out loss"
          curves={curvesOf(names, found, "evaluations")}
          height={120}
          {...common}
        />
      )}
      {found.every((log) => log !== undefined && log.steps.length === 0) && (
        <p className="ts-dimmed">None of them has completed a step yet.</p>
      )}
    </section>
  );
}

function curvesOf(
  names: readonly string[],
  logs: readonly (TrainingLog | undefined)[],
  what: "steps" | "evaluations",
) {
  return logs.map((log, at) => ({
    name: names[at] ?? "",
    points: (log?.[what] ?? []).map(({ step, loss }) => ({ x: step, y: loss })),
    isSparse: what === "evaluations",
  }));
}

function Options({ finetunes }: { finetunes: readonly Finetune[] }) {
  const [isWhole, setWhole] = useState(false);
  const configs = useQueries({
    queries: finetunes.map(({ job_id: id }) => finetuneConfigQuery(id)),
    combine: (all) => ({
      data: all.flatMap(({ data }) => (data === undefined ? [] : [data])),
      error: all.find(({ isError }) => isError)?.error ?? null,
    }),
  });
  const options = useMemo(() => compareOptions(configs.data), [configs.data]);
  const isThere = configs.data.length === finetunes.length;
  const shown = isThere ? options.filter(({ isEqual }) => isWhole || !isEqual) : [];
  const equal = options.filter(({ isEqual }) => isEqual).length;
  const sets = useQueries({
    queries: finetunes.map(({ training_set_id: set }) => trainingSetQuery(set)),
  });
  const names = namesOf(finetunes);
  return (
    <section className="ts-section" aria-labelledby="options">
      <h2 id="options" className={classes.sectionTitle}>
        What differs
      </h2>
      {configs.error !== null && (
        <p role="alert">Not all options could be loaded: {describeError(configs.error)}</p>
      )}
      <PlainTable aria-labelledby="options">
        <thead>
          <tr>
            <th scope="col">Option</th>
            {finetunes.map(({ job_id: id }, at) => (
              <th key={id} scope="col">
                <NameLink to={`/training/${id}`} name={names[at] ?? ""} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row">State</th>
            {finetunes.map(({ job_id: id, state }) => (
              <td key={id}>
                <JobStateBadge state={state} />
              </td>
            ))}
          </tr>
          <tr>
            <th scope="row">Last loss</th>
            {finetunes.map(({ job_id: id, loss }) => (
              <td key={id} className="ts-number">
                {formatScore(loss)}
              </td>
            ))}
          </tr>
          <tr>
            <th scope="row">Training set</th>
            {finetunes.map(({ job_id: id, training_set_id: set }, at) => (
              <td key={id}>
                <NameLink to={`/training/sets/${set}`} name={sets[at]?.data?.name ?? "A set"} />
              </td>
            ))}
          </tr>
          {shown.map(({ name, values }) => (
            <tr key={name}>
              <th scope="row" className="ts-mono">
                {name}
              </th>
              {values.map((value, at) => (
                <td key={finetunes[at]?.job_id} className="ts-mono">
                  {visibleText(value) || "–"}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </PlainTable>
      {isThere && shown.length === 0 && <p className="ts-dimmed">All options are equal.</p>}
      {isThere && equal > 0 && (
        <MoreButton isOpen={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? "Show only what differs" : `Show ${formatExact(equal)} equal options`}
        </MoreButton>
      )}
    </section>
  );
}
