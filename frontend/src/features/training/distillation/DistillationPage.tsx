/** One distillation: its progress, and what each of its rounds has made. */
import { Progress } from "@mantine/core";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link, useParams } from "react-router";

import { distillationQuery, useResumeDistillation } from "@/api/distillations";
import { isFinished } from "@/api/jobs";
import { modelsQuery } from "@/api/models";
import { rowsOf } from "@/api/pages";
import { useCanWrite } from "@/api/session";
import { adaptersQuery } from "@/api/training";
import type { Distillation } from "@/api/types";
import { CancelOrResume } from "@/features/training/CancelOrResume";
import { RoundTable } from "@/features/training/distillation/RoundTable";
import { LoadedFrame } from "@/features/training/LoadedFrame";
import { ServeButton } from "@/features/training/ServeButton";
import { countOf } from "@/lib/format";
import { describeLimits } from "@/lib/limits";
import { visibleText } from "@/lib/visibleText";
import { JobStateBadge } from "@/ui/JobStateBadge";
import { PageHeader } from "@/ui/PageHeader";

export function DistillationPage() {
  const { jobId = "" } = useParams();
  return (
    <LoadedFrame
      list={{ to: "/training?tab=distillations", what: "distillations" }}
      what="Distillation"
      query={useQuery(distillationQuery(jobId))}
      header={(distillation) => (
        <PageHeader
          title={visibleText(distillation.name)}
          note={<JobStateBadge state={distillation.state} />}
        >
          <Actions distillation={distillation} />
        </PageHeader>
      )}
    >
      {(distillation) => (
        <div className="ts-page">
          <Summary distillation={distillation} />
          <RoundTable distillation={distillation} />
        </div>
      )}
    </LoadedFrame>
  );
}

function Actions({ distillation }: { distillation: Distillation }) {
  const { job_id: id, state, name, rounds } = distillation;
  const canWrite = useCanWrite();
  const resume = useResumeDistillation(id);
  const student = rounds.findLast(({ adapter_id: adapter }) => adapter !== null)?.adapter_id;
  if (!canWrite) return null;
  return (
    <>
      <CancelOrResume jobId={id} state={state} resume={resume} words="Resume this round" />
      {isFinished(state) && typeof student === "string" && (
        <ServeButton what={{ adapter_id: student }} name={name} canWrite />
      )}
    </>
  );
}

function Summary({ distillation }: { distillation: Distillation }) {
  const { base, rounds, round_count: wanted, state, message, budget } = distillation;
  const limits = describeLimits(budget);
  const models = useQuery(modelsQuery());
  const adapters = useInfiniteQuery(adaptersQuery());
  const teacher = models.data?.find(({ id }) => id === distillation.teacher_id);
  const first = rowsOf(adapters.data).find(({ id }) => id === distillation.adapter_id);
  const done = rounds.filter(({ adapter_id: adapter }) => adapter !== null).length;
  return (
    <section className="ts-stack ts-section" aria-label="Summary">
      <p>
        {visibleText(base)} learns to do {countOf(distillation.task_count, "task")} as{" "}
        {visibleText(distillation.agent_name || "a deleted agent")}
        {distillation.teacher_id !== null && <> from {visibleText(teacher?.name ?? "a teacher")}</>}
        {first !== undefined && (
          <>
            , beginning with <Link to={`/training/${first.job_id}`}>{visibleText(first.name)}</Link>
          </>
        )}
        . {limits !== "" && `At most ${limits}.`}
      </p>
      {!isFinished(state) && (
        <Progress
          size={4}
          value={(100 * done) / wanted}
          aria-label="Progress of the distillation"
        />
      )}
      <p className="ts-number" aria-live="polite">
        <span className={state === "failed" ? "ts-bad" : undefined}>{visibleText(message)}</span>
      </p>
    </section>
  );
}
