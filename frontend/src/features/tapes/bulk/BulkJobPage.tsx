/** The page of a job that was started in a dialog of the tapes page, linked from Runs. */
import { Anchor } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "react-router";

import { describeError, wayBack } from "@/api/client";
import { jobQuery } from "@/api/jobs";
import type { Job } from "@/api/types";
import classes from "@/features/tapes/bulk/bulk.module.css";
import { RerunProgress } from "@/features/tapes/bulk/RerunProgress";
import { TransformJob } from "@/features/tapes/bulk/TransformJob";
import { ExportJob } from "@/features/tapes/ExportJob";
import { visibleText } from "@/lib/visibleText";
import { PageHeader } from "@/ui/PageHeader";
import { ErrorState, RowsSkeleton } from "@/ui/States";

export function BulkJobPage() {
  const { jobId = "" } = useParams();
  const job = useQuery(jobQuery(jobId));
  const title = job.data === undefined ? "Job" : visibleText(job.data.title) || "Job";
  return (
    <>
      <PageHeader
        title={title}
        note={
          <Anchor component={Link} to="/runs">
            All runs
          </Anchor>
        }
      />
      <div className={classes.page}>
        {job.isPending && <RowsSkeleton label="Loading the job" rows={2} />}
        {job.isError && job.data === undefined && (
          <ErrorState
            title="The job could not be loaded"
            message={describeError(job.error)}
            back={wayBack(job.error, "/runs", "runs")}
            onRetry={() => void job.refetch()}
          />
        )}
        {job.data !== undefined && <Body job={job.data} />}
      </div>
    </>
  );
}

function Body({ job }: { job: Job }) {
  switch (job.kind) {
    case "export":
      return <ExportJob jobId={job.id} />;
    case "rerun":
      return <RerunProgress rerunId={job.id} />;
    case "transform":
      return <TransformJob jobId={job.id} />;
    default:
      return <p>No details are available for this job; see Runs.</p>;
  }
}
