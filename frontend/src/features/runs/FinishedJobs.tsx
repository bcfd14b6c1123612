import { useInfiniteQuery } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";

import { ForWriters } from "@/api/ForWriters";
import { describeError } from "@/api/client";
import { finishedJobsQuery } from "@/api/jobs";
import type { Job } from "@/api/types";
import { RequeueButton } from "@/features/runs/JobButtons";
import { describeGroup, stateOf } from "@/features/runs/jobGroups";
import { JobTitle } from "@/features/runs/JobTitle";
import classes from "@/features/runs/Runs.module.css";
import { ELAPSED } from "@/lib/durations";
import { visibleText } from "@/lib/visibleText";
import { DataTable } from "@/ui/DataTable";
import type { Column } from "@/ui/tableColumns";
import { JobStateBadge } from "@/ui/JobStateBadge";
import { Duration, RelativeTime } from "@/ui/Quantities";
import { ErrorState, RowsSkeleton, StaleNotice } from "@/ui/States";

export function FinishedJobs() {
  return (
    <section className={`ts-column ${classes.finished}`} aria-labelledby="finished-jobs">
      <h2 id="finished-jobs" className={`ts-row ${classes.heading}`}>
        Finished
      </h2>
      <Body />
    </section>
  );
}

function Body() {
  const query = useInfiniteQuery(finishedJobsQuery());
  const rows = useMemo(() => query.data?.pages.flatMap((page) => page.items) ?? [], [query.data]);
  const loadMore = useCallback(() => void query.fetchNextPage(), [query]);
  if (query.isPending) return <RowsSkeleton label="Loading finished jobs" rows={6} />;
  if (query.isError && rows.length === 0) {
    return (
      <ErrorState
        title="The finished jobs could not be loaded"
        message={describeError(query.error)}
        onRetry={() => void query.refetch()}
      />
    );
  }
  if (rows.length === 0) return <p className={classes.quiet}>No job has finished yet.</p>;
  return (
    <>
      {query.isError && (
        <StaleNotice message={describeError(query.error)} onRetry={() => void query.refetch()} />
      )}
      <DataTable
        label="Finished jobs"
        columns={COLUMNS}
        rows={rows}
        rowId={(job) => job.id}
        hasMore={query.hasNextPage && !query.isError}
        loadingMore={query.isFetchingNextPage}
        onLoadMore={loadMore}
      />
    </>
  );
}

const COLUMNS: Column<Job>[] = [
  {
    id: "state",
    header: "State",
    width: "min(140px, 34cqw)",
    cell: (job) => <JobStateBadge state={job.group === null ? job.state : stateOf(job.group)} />,
  },
  { id: "title", header: "Job", cell: (job) => <JobTitle job={job} /> },
  {
    id: "outcome",
    header: "Outcome",
    hideLevel: 2,
    cell: (job) => (
      <span
        className={job.group === null && job.state === "failed" ? classes.failed : "ts-dimmed"}
        title={describeOutcome(job)}
      >
        {describeOutcome(job)}
      </span>
    ),
  },
  {
    id: "duration",
    header: "Elapsed",
    hint: ELAPSED,
    width: "96px",
    align: "end",
    hideLevel: 1,
    cell: (job) => <Duration value={secondsBetween(job.started_at, job.finished_at)} />,
  },
  {
    id: "finished",
    header: "Finished",
    width: "104px",
    align: "end",
    cell: (job) => <RelativeTime value={job.finished_at} />,
  },
  {
    id: "again",
    header: <span className="ts-visually-hidden">Actions</span>,
    width: "136px",
    hideLevel: 3,
    align: "end",
    cell: (job) =>
      job.state === "succeeded" || job.group !== null ? null : (
        <ForWriters>
          <RequeueButton job={job} />
        </ForWriters>
      ),
  },
];

function describeOutcome(job: Job): string {
  if (job.group !== null) return describeGroup(job.group);
  if (job.state === "cancelled" && job.cancelled_by !== "") {
    return visibleText(`Cancelled by ${job.cancelled_by}. ${job.message}`);
  }
  return visibleText(job.message);
}

function secondsBetween(start: string | null, end: string | null): number | null {
  if (start === null || end === null) return null;
  return (new Date(end).getTime() - new Date(start).getTime()) / 1000;
}
