/** One finetune: its progress, live, and the actions on it. */
import { Button, Progress } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { IconCopy } from "@tabler/icons-react";
import { Link, useParams } from "react-router";

import { describeError } from "@/api/client";
import { isFinished } from "@/api/jobs";
import { useCanWrite } from "@/api/session";
import { finetuneQuery, trainingSetQuery, useResumeFinetune } from "@/api/training";
import { EMPTY_LOG, useTrainingLog } from "@/api/trainingEvents";
import type { Finetune } from "@/api/types";
import { CancelOrResume } from "@/features/training/CancelOrResume";
import { Course } from "@/features/training/Course";
import { EvaluateAdapter } from "@/features/training/EvaluateButton";
import { LoadedFrame } from "@/features/training/LoadedFrame";
import { NameLink } from "@/features/training/NameLink";
import { PlanFacts } from "@/features/training/PlanFacts";
import { ServeButton } from "@/features/training/ServeButton";
import { formatExact } from "@/lib/format";
import { timeLeft } from "@/lib/timeLeft";
import { visibleText } from "@/lib/visibleText";
import { JobStateBadge } from "@/ui/JobStateBadge";
import { PageHeader } from "@/ui/PageHeader";
import { useNow } from "@/ui/Quantities";
import { ErrorState, RowsSkeleton, StaleNotice } from "@/ui/States";

export function FinetunePage() {
  const { jobId = "" } = useParams();
  return (
    <LoadedFrame
      list={{ to: "/training?tab=finetunes", what: "finetunes" }}
      what="Finetune"
      query={useQuery(finetuneQuery(jobId))}
      header={(finetune) => (
        <PageHeader
          title={visibleText(finetune.name)}
          note={<JobStateBadge state={finetune.state} />}
        >
          <Actions finetune={finetune} />
        </PageHeader>
      )}
    >
      {(finetune) => (
        <div className="ts-page">
          <Summary finetune={finetune} />
          <Log finetune={finetune} />
        </div>
      )}
    </LoadedFrame>
  );
}

function Actions({ finetune }: { finetune: Finetune }) {
  const { job_id: id, state } = finetune;
  const canWrite = useCanWrite();
  const resume = useResumeFinetune(id);
  if (!canWrite) return null;
  return (
    <>
      <CancelOrResume
        jobId={id}
        state={state}
        resume={resume}
        words="Resume from the last checkpoint"
      />
      {finetune.adapter_id !== null && (
        <>
          <ServeButton what={{ adapter_id: finetune.adapter_id }} name={finetune.name} canWrite />
          <EvaluateAdapter adapterId={finetune.adapter_id} />
        </>
      )}
      <Button
        component={Link}
        to={`/training?new=finetune&from=${id}`}
        variant="default"
        leftSection={<IconCopy size={14} />}
      >
        Duplicate and edit
      </Button>
    </>
  );
}

function Summary({ finetune }: { finetune: Finetune }) {
  const { training_set_id: setId, base, preset, options, step, steps, message } = finetune;
  const set = useQuery(trainingSetQuery(setId));
  const now = useNow(1000);
  const changes = Object.entries(options).map(
    ([name, value]) => `${name} ${JSON.stringify(value)}`,
  );
  return (
    <section className="ts-stack ts-section" aria-label="Summary">
      <p>
        {visibleText(base)} learns{" "}
        <NameLink to={`/training/sets/${setId}`} name={set.data?.name ?? "a training set"} />,
        preset {preset}
        {changes.length > 0 && <> with {visibleText(changes.join(", "))}</>}
        {finetune.adapter_id !== null && (
          <>
            . <Link to="/training?tab=adapters">Its adapter</Link>
          </>
        )}
      </p>
      {!isFinished(finetune.state) && steps !== null && (
        <Progress size={4} value={(100 * step) / steps} aria-label="Progress of the finetune" />
      )}
      <p className="ts-number" aria-live="polite">
        {steps !== null && `${formatExact(step)} of ${formatExact(steps)} steps`}
        {finetune.state === "running" &&
          timeLeft({ startedAt: finetune.started_at, done: step, total: steps }, now)}
        {steps !== null && message !== "" && ". "}
        <span className={finetune.state === "failed" ? "ts-bad" : undefined}>
          {visibleText(message)}
        </span>
      </p>
    </section>
  );
}

function Log({ finetune }: { finetune: Finetune }) {
  const isLive = !isFinished(finetune.state);
  const log = useTrainingLog(finetune.job_id, isLive);
  const { steps, plan } = log.data ?? EMPTY_LOG;
  if (log.isPending) return <RowsSkeleton label="Loading the curves" rows={4} />;
  if (log.data === undefined) {
    return (
      <ErrorState
        title="The curves could not be loaded"
        message={describeError(log.error)}
        onRetry={() => void log.refetch()}
      />
    );
  }
  return (
    <>
      {log.isError && (
        <StaleNotice message={describeError(log.error)} onRetry={() => void log.refetch()} />
      )}
      {steps.length > 0 ? (
        <Course log={log.data} setId={finetune.training_set_id} />
      ) : (
        <p className="ts-dimmed ts-section">
          {isLive
            ? "Curves appear with the first step, once the base model is loaded."
            : "It ended before the first step."}
        </p>
      )}
      {plan !== null && <PlanFacts plan={plan} log={log.data} />}
    </>
  );
}
