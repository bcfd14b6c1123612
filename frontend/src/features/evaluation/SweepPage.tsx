/** One sweep: which variant is better, how certain that is, and the tasks where they differ. */
import { Button, Progress } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { IconPlayerPlay, IconPlus, IconScale } from "@tabler/icons-react";
import { useCallback, useState } from "react";
import { Link, useParams } from "react-router";

import { describeError } from "@/api/client";
import { isFinished } from "@/api/jobs";
import { useCanWrite } from "@/api/session";
import { sweepQuery, useAmendSweep } from "@/api/sweeps";
import type { Sweep, SweepReport } from "@/api/types";
import { useCancelJob } from "@/api/useCancelJob";
import { AmendSweep } from "@/features/evaluation/AmendSweep";
import { DecidedByLine } from "@/features/evaluation/DecidedByLine";
import classes from "@/features/evaluation/evaluation.module.css";
import { ExportMenu } from "@/features/evaluation/ExportMenu";
import { RescoreDialog } from "@/features/evaluation/RescoreDialog";
import { SweepCard } from "@/features/evaluation/SweepCard";
import { Steadiness } from "@/features/evaluation/Steadiness";
import { SweepPlots } from "@/features/evaluation/SweepPlots";
import { PauseSweep } from "@/features/evaluation/PauseSweep";
import { AttackTable } from "@/features/evaluation/AttackTable";
import { NextStepTable } from "@/features/evaluation/NextStepTable";
import { TagMap } from "@/features/evaluation/TagMap";
import { TaskTable } from "@/features/evaluation/TaskTable";
import { VariantTable } from "@/features/evaluation/VariantTable";
import { VoteTable } from "@/features/evaluation/VoteTable";
import { CancelButton } from "@/features/training/CancelButton";
import { LoadedFrame } from "@/features/training/LoadedFrame";
import { countOf, formatSeconds } from "@/lib/format";
import { describeLimits } from "@/lib/limits";
import { useAddress } from "@/lib/useAddress";
import { visibleText } from "@/lib/visibleText";
import { JobStateBadge } from "@/ui/JobStateBadge";
import { PageHeader } from "@/ui/PageHeader";

export function SweepPage() {
  const { jobId = "" } = useParams();
  const [address, change] = useAddress();
  const by = address.get("by") ?? "";
  const choose = useCallback((chosen: string) => change({ by: chosen }), [change]);
  return (
    <LoadedFrame
      list={{ to: "/evaluation", what: "sweeps" }}
      what="Sweep"
      query={useQuery({ ...sweepQuery(jobId, by), placeholderData: (before) => before })}
      header={(report) => (
        <PageHeader
          title={visibleText(report.sweep.name)}
          note={<JobStateBadge state={report.sweep.state} />}
        >
          <ExportMenu sweep={report.sweep} by={by} />
          <Actions report={report} onChoose={choose} />
        </PageHeader>
      )}
    >
      {(report) => (
        <div className="ts-page">
          <Summary report={report} onChoose={choose} />
          <VariantTable report={report} />
          <AttackTable report={report} />
          <VoteTable report={report} />
          <Steadiness variants={report.variants} />
          <SweepPlots report={report} />
          <NextStepTable report={report} />
          <TagMap report={report} />
          <TaskTable report={report} />
          {report.card !== "" && <SweepCard jobId={report.sweep.job_id} />}
        </div>
      )}
    </LoadedFrame>
  );
}

interface ActionsProps {
  report: SweepReport;
  onChoose: (by: string) => void;
}

function Actions({ report: { sweep, variants }, onChoose }: ActionsProps) {
  const { job_id: id, state } = sweep;
  const canWrite = useCanWrite();
  const cancel = useCancelJob(id);
  const amend = useAmendSweep(id);
  const [isAdding, setAdding] = useState(false);
  const [isScoring, setScoring] = useState(false);
  const showScoring = useCallback(
    (scoringId: string, isWhole: boolean) => {
      // Otherwise the dialog says what was left out, and why.
      if (isWhole) setScoring(false);
      onChoose(scoringId);
    },
    [onChoose],
  );
  const refusal = cancel.error ?? amend.error;
  const isOver = isFinished(state);
  const missing = variants.reduce((sum, { missing_count: count }) => sum + count, 0);
  if (!canWrite) return null;
  return (
    <>
      {refusal !== null && <span role="alert">{describeError(refusal)}</span>}
      {!isOver && <PauseSweep sweep={sweep} />}
      {!isOver && <CancelButton cancel={cancel} />}
      {isOver && missing > 0 && (
        <Button
          variant="default"
          leftSection={<IconPlayerPlay size={14} />}
          title="Run again what failed, was stopped or ran out of the budget"
          loading={amend.isPending}
          onClick={() => amend.mutate({ retry: true }, { onSuccess: () => cancel.reset() })}
        >
          Retry missing runs
        </Button>
      )}
      <Button
        variant="default"
        leftSection={<IconScale size={14} />}
        title="Score the finished runs with another check or a judge"
        onClick={() => setScoring(true)}
      >
        Rescore
      </Button>
      <RescoreDialog
        sweep={sweep}
        isOpen={isScoring}
        onClose={() => setScoring(false)}
        onScored={showScoring}
      />
      <Button leftSection={<IconPlus size={14} />} onClick={() => setAdding(true)}>
        Add to sweep
      </Button>
      <AmendSweep sweep={sweep} isOpen={isAdding} onClose={() => setAdding(false)} />
    </>
  );
}

interface SummaryProps {
  report: SweepReport;
  onChoose: (by: string) => void;
}

function Summary({ report, onChoose }: SummaryProps) {
  const { sweep, variants, best } = report;
  const { state, message, done_count: done, run_count: wanted } = sweep;
  const sentences = [...variants.map(({ sentence }) => sentence), best?.sentence ?? ""].filter(
    (words) => words !== "",
  );
  return (
    <section className="ts-stack ts-section" aria-label="Summary">
      {sentences.map((words) => (
        <p key={words} className={classes.sentence}>
          {visibleText(words)}
        </p>
      ))}
      {report.result_before !== "" && <p>{visibleText(report.result_before)}</p>}
      {report.watching !== "" && (
        <section className={`ts-stack ts-panel ${classes.preview}`} aria-label="While it runs">
          {variants.map(({ variant: { letter }, watched }) =>
            watched === null ? null : <p key={letter}>{visibleText(watched.sentence)}</p>,
          )}
          <p className="ts-hint">{report.watching}</p>
        </section>
      )}
      <DecidedByLine report={report} onChoose={onChoose} />
      {!isFinished(state) && (
        <Progress size={4} value={(100 * done) / wanted} aria-label="Progress of the sweep" />
      )}
      {sweep.is_pausing && (
        <p role="status" className={classes.sentence}>
          Pausing: nothing more is started, and runs under way stop at their next safe point.
        </p>
      )}
      {report.learnt.map(({ variant, model, sentence, training_set_id: setId }) => (
        <p key={`${variant} ${model}`} className={classes.sentence}>
          {visibleText(sentence)}{" "}
          <Link to={`/training/sets/${setId}`}>See what it was trained on</Link>
        </p>
      ))}
      {report.held_models.map(({ name, seconds }) => (
        <p key={name} role="status" className={classes.sentence}>
          Runs wait for the rate limit of {visibleText(name)}: its provider takes requests again in{" "}
          {formatSeconds(Math.ceil(seconds))}.
        </p>
      ))}
      <p className={`ts-dimmed ts-number ${classes.size}`} aria-live="polite">
        {sizeOf(sweep)}{" "}
        <span className={state === "failed" ? "ts-bad" : undefined}>{visibleText(message)}</span>
      </p>
    </section>
  );
}

function sizeOf({ variants, attempts, task_count: tasks, budget, seconds }: Sweep): string {
  const size = [
    countOf(variants.length, "variant"),
    countOf(attempts.length, "attempt"),
    countOf(tasks, "task"),
  ].join(" × ");
  const limits = describeLimits(budget);
  const worked = seconds > 0 ? ` Worked ${formatSeconds(seconds)}.` : "";
  return limits === "" ? `${size}.${worked}` : `${size}, at most ${limits}.${worked}`;
}
