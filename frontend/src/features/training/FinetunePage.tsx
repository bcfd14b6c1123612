/** One finetune: how it goes, live, and what can be done with it. */
import { Button, Progress } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { IconCopy, IconPlayerPlay, IconPlayerStop } from "@tabler/icons-react";
import { Link, useParams } from "react-router";

import { describeError } from "@/api/client";
import { isFinished } from "@/api/jobs";
import { useCanWrite } from "@/api/session";
import { finetuneQuery, trainingSetQuery, useResumeFinetune } from "@/api/training";
import { EMPTY_LOG, useTrainingLog } from "@/api/trainingEvents";
import type { Finetune } from "@/api/types";
import { useCancelJob } from "@/api/useCancelJob";
import { Course } from "@/features/training/Course";
import { NameLink } from "@/features/training/NameLink";
import { PlanFacts } from "@/features/training/PlanFacts";
import { ServeButton } from "@/features/training/ServeButton";
import classes from "@/features/training/training.module.css";
import { formatExact } from "@/lib/format";
import { timeLeft } from "@/lib/timeLeft";
import { visibleText } from "@/lib/visibleText";
import { JobStateBadge } from "@/ui/JobStateBadge";
import { PageHeader } from "@/ui/PageHeader";
import { useNow } from "@/ui/Quantities";
import { ErrorState, RowsSkeleton, StaleNotice } from "@/ui/States";

export function FinetunePage() {
  const { jobId = "" } = useParams();
  const finetune = useQuery(finetuneQuery(jobId));
  const retry = () => void finetune.refetch();
  if (finetune.data === undefined) {
    return (
      <>
        <PageHeader title="Finetune" />
        {finetune.isPending ? (
          <RowsSkeleton label="Loading the finetune" rows={6} />
        ) : (
          <ErrorState
            title="The finetune could not be loaded"
            message={describeError(finetune.error)}
            onRetry={retry}
          />
        )}
      </>
    );
  }
  return (
    <>
      <PageHeader
        title={visibleText(finetune.data.name)}
        note={<JobStateBadge state={finetune.data.state} />}
      >
        <Actions finetune={finetune.data} />
      </PageHeader>
      {finetune.isError && <StaleNotice message={describeError(finetune.error)} onRetry={retry} />}
      <div className={classes.page}>
        <Summary finetune={finetune.data} />
        <Log finetune={finetune.data} />
      </div>
    </>
  );
}

function Actions({ finetune }: { finetune: Finetune }) {
  const { job_id: id, state } = finetune;
  const canWrite = useCanWrite();
  const cancel = useCancelJob(id);
  const resume = useResumeFinetune(id);
  const refusal = cancel.error ?? resume.error;
  if (!canWrite) return null;
  return (
    <>
      {refusal !== null && <span role="alert">{describeError(refusal)}</span>}
      {!isFinished(state) && (
        <Button
          variant="default"
          leftSection={<IconPlayerStop size={14} />}
          loading={cancel.isPending}
          disabled={cancel.isSuccess}
          onClick={() => cancel.mutate()}
        >
          {cancel.isSuccess ? "Stopping" : "Cancel"}
        </Button>
      )}
      {(state === "failed" || state === "cancelled") && (
        <Button
          leftSection={<IconPlayerPlay size={14} />}
          loading={resume.isPending}
          onClick={() => resume.mutate(undefined, { onSuccess: () => cancel.reset() })}
        >
          Go on from the last checkpoint
        </Button>
      )}
      {finetune.adapter_id !== null && (
        <ServeButton what={{ adapter_id: finetune.adapter_id }} name={finetune.name} canWrite />
      )}
      <Button
        component={Link}
        to={`/training?new=finetune&from=${id}`}
        variant="default"
        leftSection={<IconCopy size={14} />}
      >
        Duplicate and change
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
    <section className={`ts-stack ${classes.section}`} aria-label="Summary">
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
        <p className={`ts-dimmed ${classes.section}`}>
          {isLive
            ? "The curves begin with the first step, once the base model is loaded."
            : "It ended before its first step."}
        </p>
      )}
      {plan !== null && <PlanFacts plan={plan} log={log.data} />}
    </>
  );
}
