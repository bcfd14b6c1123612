/** One suite: its tests with their pass criteria, and the results of the newest runs. */
import { Button, Select } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { IconPlayerPlay } from "@tabler/icons-react";
import { useState } from "react";
import { Link, useParams } from "react-router";

import { agentsQuery } from "@/api/agents";
import { describeError, wayBack } from "@/api/client";
import { modelsQuery } from "@/api/models";
import { useCanWrite } from "@/api/session";
import { suiteQuery, useRunSuite } from "@/api/suites";
import type { SuiteReport } from "@/api/types";
import classes from "@/features/evaluation/evaluation.module.css";
import { RunCounts } from "@/features/evaluation/RunCounts";
import { SuiteJob } from "@/features/evaluation/SuiteJob";
import { TestTable } from "@/features/evaluation/TestTable";
import { countOf } from "@/lib/format";
import { datasetAddress } from "@/lib/tapeQuery";
import { visibleText } from "@/lib/visibleText";
import { PageHeader } from "@/ui/PageHeader";
import { ErrorState, RowsSkeleton, StaleNotice } from "@/ui/States";

export function SuitePage() {
  const { suiteId = "" } = useParams();
  const report = useQuery(suiteQuery(suiteId));
  const retry = () => void report.refetch();
  const { data } = report;
  if (data === undefined) {
    return (
      <>
        <PageHeader title="Suite" />
        {report.isPending ? (
          <RowsSkeleton label="Loading the suite" rows={6} />
        ) : (
          <ErrorState
            title="The suite could not be loaded"
            message={describeError(report.error)}
            back={wayBack(report.error, "/evaluation/suites", "suites")}
            onRetry={retry}
          />
        )}
      </>
    );
  }
  return <Loaded report={data} problem={report.isError ? report.error : null} onRetry={retry} />;
}

interface LoadedProps {
  report: SuiteReport;
  problem: Error | null;
  onRetry: () => void;
}

function Loaded({ report, problem, onRetry }: LoadedProps) {
  const { suite, tests } = report;
  const [jobId, setJobId] = useState<string | null>(null);
  const canWrite = useCanWrite();
  return (
    <>
      <PageHeader title={visibleText(suite.name)}>
        <Button variant="default" component={Link} to={datasetAddress(suite.name)}>
          Tapes of the suite
        </Button>
      </PageHeader>
      {problem !== null && <StaleNotice message={describeError(problem)} onRetry={onRetry} />}
      <div className="ts-page">
        <section className={"ts-stack ts-section"} aria-label="Summary">
          <p className={classes.sentence}>{describeSize(suite)}</p>
          {suite.last_run !== null && (
            <p aria-live="polite">
              Newest run by {visibleText(suite.last_run.agent)}: <RunCounts run={suite.last_run} />.{" "}
              <Link to={`/tapes?batch=${suite.last_run.id}`}>Its tapes</Link>
            </p>
          )}
          {canWrite && tests.length > 0 && <RunBar suiteId={suite.id} onStarted={setJobId} />}
          {jobId !== null && <SuiteJob key={jobId} jobId={jobId} />}
        </section>
        <TestTable report={report} canWrite={canWrite} />
      </div>
    </>
  );
}

function describeSize({ test_count: tests, task_count: tasks }: SuiteReport["suite"]): string {
  const others =
    tasks === 0
      ? ""
      : ` and ${countOf(tasks, "task")}, run from the start and compared with the expected answer`;
  return `${countOf(tests, "regression test")}${others}. What failed to run, or ran out of the budget, is missing and counts as neither.`;
}

interface RunBarProps {
  suiteId: string;
  onStarted: (jobId: string) => void;
}

function RunBar({ suiteId, onStarted }: RunBarProps) {
  const agents = useQuery(agentsQuery());
  const models = useQuery(modelsQuery());
  const run = useRunSuite(suiteId);
  const [version, setVersion] = useState<string | null>(null);
  const [model, setModel] = useState<string | null>(null);
  return (
    <form
      className={classes.runBar}
      onSubmit={(event) => {
        event.preventDefault();
        run.mutate(
          { agent_version_ids: version === null ? [] : [version], model_ids: [model] },
          { onSuccess: ({ id }) => onStarted(id) },
        );
      }}
    >
      <Select
        aria-label="Agent"
        placeholder="The agent of the tests"
        title="Its newest version"
        clearable
        searchable
        data={(agents.data ?? []).map(
          ({ latest_version_id: id, name, latest_version: number }) => ({
            value: id,
            label: `${visibleText(name)} v${number}`,
          }),
        )}
        value={version}
        onChange={setVersion}
      />
      <Select
        aria-label="Model"
        placeholder="Agent default"
        clearable
        searchable
        data={(models.data ?? []).map(({ id, name }) => ({ value: id, label: visibleText(name) }))}
        value={model}
        onChange={setModel}
      />
      <Button type="submit" leftSection={<IconPlayerPlay size={14} />} loading={run.isPending}>
        Run all tests
      </Button>
      {run.isError && <span role="alert">{describeError(run.error)}</span>}
    </form>
  );
}
