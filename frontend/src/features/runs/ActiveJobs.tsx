import { Progress } from "@mantine/core";
import type { UseQueryResult } from "@tanstack/react-query";

import { ForWriters } from "@/api/ForWriters";
import { describeError } from "@/api/client";
import type { Job } from "@/api/types";
import { ActiveReruns } from "@/features/runs/ActiveReruns";
import { CancelAllButton, CancelButton } from "@/features/runs/JobButtons";
import { describeGroup, progressOf, stateOf } from "@/features/runs/jobGroups";
import { JobTitle, titleOf } from "@/features/runs/JobTitle";
import classes from "@/features/runs/Runs.module.css";
import { ELAPSED } from "@/lib/durations";
import { formatExact, formatRough, formatSeconds } from "@/lib/format";
import { unheardWords } from "@/lib/unheardQueues";
import { visibleText } from "@/lib/visibleText";
import { JobStateBadge } from "@/ui/JobStateBadge";
import { useNow } from "@/ui/Quantities";
import { ErrorState, RowsSkeleton, StaleNotice } from "@/ui/States";

/** The queued, running, waiting and paused jobs, live. */
export function ActiveJobs({ query }: { query: UseQueryResult<Job[]> }) {
  return (
    <section className={`ts-column ${classes.section}`} aria-labelledby="active-jobs">
      <h2 id="active-jobs" className={`ts-row ${classes.heading}`}>
        Active
      </h2>
      <ActiveReruns />
      <Body query={query} />
    </section>
  );
}

function Body({ query }: { query: UseQueryResult<Job[]> }) {
  if (query.isPending) return <RowsSkeleton label="Loading active jobs" rows={2} />;
  if (query.data === undefined) {
    return (
      <ErrorState
        title="The jobs could not be loaded"
        message={describeError(query.error)}
        onRetry={() => void query.refetch()}
      />
    );
  }
  return (
    <>
      {query.isError && (
        <StaleNotice message={describeError(query.error)} onRetry={() => void query.refetch()} />
      )}
      {query.data.length === 0 ? (
        <p className={classes.quiet}>
          Nothing is running. Resume a tape, start one with an agent, or upload files: the work is
          listed here and continues when you close this page.
        </p>
      ) : (
        <ul className={classes.list} aria-live="polite" aria-relevant="additions removals">
          {query.data.map((job) => job.kind !== "rerun" && <ActiveJob key={job.id} job={job} />)}
        </ul>
      )}
    </>
  );
}

function ActiveJob({ job }: { job: Job }) {
  return (
    <li className={classes.job}>
      <JobStateBadge state={job.group === null ? job.state : stateOf(job.group)} />
      <div className={classes.what}>
        <JobTitle job={job} />
        {job.unheard_queue !== "" && (
          <div className="ts-bad">{unheardWords([job.unheard_queue])}</div>
        )}
        {job.group !== null && <div className="ts-dimmed">{describeGroup(job.group)}</div>}
        {job.group === null && job.message !== "" && (
          <div className="ts-truncate ts-dimmed" title={visibleText(job.message)}>
            {visibleText(job.message)}
          </div>
        )}
      </div>
      <JobProgress job={job} />
      <div className={`${classes.end ?? ""} ${classes.duration ?? ""}`} title={ELAPSED}>
        <Elapsed since={job.started_at} />
      </div>
      <ForWriters>
        {job.group === null ? <CancelButton job={job} /> : <CancelAllButton job={job} />}
      </ForWriters>
    </li>
  );
}

function JobProgress({ job }: { job: Job }) {
  const { done, total } =
    job.group === null
      ? { done: job.progress_done, total: job.progress_total }
      : progressOf(job.group);
  if (total === null || total === 0) {
    return (
      <div className={`ts-column ts-caption ${classes.progress}`}>
        {done > 0 && <span>{formatExact(done)} done</span>}
      </div>
    );
  }
  return (
    <div className={`ts-column ts-caption ${classes.progress}`}>
      <Progress size={4} value={(100 * done) / total} aria-label={`Progress of ${titleOf(job)}`} />
      <span className="ts-number">
        {formatExact(done)} of {formatExact(total)}
        <TimeLeft job={job} share={done / total} />
      </span>
    </div>
  );
}

/** Estimated from the pace so far; shown once a tenth is done. */
function TimeLeft({ job, share }: { job: Job; share: number }) {
  const now = useNow(1000);
  if (job.started_at === null || job.state !== "running" || share < 0.1 || share >= 1) return null;
  const elapsed = (now.getTime() - new Date(job.started_at).getTime()) / 1000;
  return <>, about {formatRough((elapsed * (1 - share)) / share)} left</>;
}

function Elapsed({ since }: { since: string | null }) {
  const now = useNow(1000);
  if (since === null) return <span className="ts-dimmed">–</span>;
  const seconds = Math.max(0, Math.floor((now.getTime() - new Date(since).getTime()) / 1000));
  return <span className="ts-number">{formatWhole(seconds)} elapsed</span>;
}

function formatWhole(seconds: number): string {
  return seconds < 60 ? `${seconds} s` : formatSeconds(seconds);
}
