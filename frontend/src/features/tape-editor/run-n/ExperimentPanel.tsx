/** The results of Run N at full width: one experiment, or the list of all. */
import { useQuery } from "@tanstack/react-query";

import { describeError } from "@/api/client";
import { experimentQuery, experimentsQuery } from "@/api/experiments";
import type { Experiment } from "@/api/types";
import { ExperimentBar } from "@/features/tape-editor/run-n/ExperimentBar";
import { ExperimentGrid } from "@/features/tape-editor/run-n/ExperimentGrid";
import { ExperimentList } from "@/features/tape-editor/run-n/ExperimentList";
import { ExperimentSummary } from "@/features/tape-editor/run-n/ExperimentSummary";
import classes from "@/features/tape-editor/run-n/panel.module.css";
import type { RunN } from "@/features/tape-editor/run-n/useRunN";
import { useKeepWinner } from "@/features/tape-editor/run-n/useKeepWinner";
import { useTapeModel } from "@/features/tape-editor/editor";
import { ErrorState, RowsSkeleton, StaleNotice } from "@/ui/States";

export function ExperimentPanel({ runN }: { runN: RunN }) {
  const { tape } = useTapeModel();
  const experiments = useQuery(experimentsQuery(tape.id));
  if (runN.view.kind === "closed") return null;
  return (
    <section className={`ts-column ${classes.panel}`} aria-label="Run N">
      {runN.view.kind === "list" ? (
        <ExperimentList runN={runN} query={experiments} />
      ) : (
        <OneExperiment key={runN.view.id} id={runN.view.id} runN={runN} />
      )}
    </section>
  );
}

function OneExperiment({ id, runN }: { id: string; runN: RunN }) {
  const query = useQuery(experimentQuery(id));
  const retry = () => void query.refetch();
  if (query.isPending) {
    return (
      <>
        <ExperimentBar runN={runN} experiment={null} />
        <RowsSkeleton label="Loading the branches" rows={8} />
      </>
    );
  }
  if (query.data === undefined) {
    return (
      <>
        <ExperimentBar runN={runN} experiment={null} />
        <ErrorState
          title="The experiment could not be loaded"
          message={describeError(query.error)}
          onRetry={retry}
        />
      </>
    );
  }
  return (
    <>
      <ExperimentBar runN={runN} experiment={query.data} />
      {query.isError && <StaleNotice message={describeError(query.error)} onRetry={retry} />}
      <div className={`ts-scroll ${classes.scroller}`}>
        <Results experiment={query.data} runN={runN} />
      </div>
    </>
  );
}

function Results({ experiment, runN }: { experiment: Experiment; runN: RunN }) {
  const keep = useKeepWinner(experiment);
  return (
    <>
      <ExperimentSummary experiment={experiment} keep={keep} />
      <ExperimentGrid experiment={experiment} runN={runN} keep={keep} />
    </>
  );
}
