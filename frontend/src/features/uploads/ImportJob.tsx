import { Button, Progress } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { Link } from "react-router";

import { describeError } from "@/api/client";
import { isFinished } from "@/api/jobs";
import { tapeKeys } from "@/api/tapes";
import type { Job } from "@/api/types";
import { type ImportResult, readImportResult } from "@/api/uploads";
import { useCancelJob } from "@/api/useCancelJob";
import { useLiveJob } from "@/api/useLiveJob";
import { ImportSummary } from "@/features/uploads/ImportSummary";
import classes from "@/features/uploads/Uploads.module.css";
import { countOf, formatExact } from "@/lib/format";
import { visibleText } from "@/lib/visibleText";
import { JobStateBadge } from "@/ui/JobStateBadge";
import { ErrorState, RowsSkeleton } from "@/ui/States";

interface ImportJobProps {
  jobId: string;
  onAgain: () => void;
}

export function ImportJob({ jobId, onAgain }: ImportJobProps) {
  const job = useLiveJob(jobId);
  useRefreshedLists(job.data !== undefined && isFinished(job.data.state));
  if (job.data === undefined) {
    if (job.isPending) return <RowsSkeleton label="Loading the import" rows={3} />;
    return (
      <ErrorState
        title="The import could not be loaded"
        message={describeError(job.error)}
        onRetry={() => void job.refetch()}
      />
    );
  }
  return (
    <>
      <section className={classes.panel} aria-label="Import">
        <header className={`ts-row ${classes.panelHead}`}>
          <JobStateBadge state={job.data.state} />
          <h2 className="ts-truncate">{visibleText(job.data.title)}</h2>
          {!isFinished(job.data.state) && <CancelImport job={job.data} />}
        </header>
        <div className={classes.panelBody} aria-live="polite">
          <Content job={job.data} />
        </div>
      </section>
      <div className={classes.foot}>
        <Button variant="default" onClick={onAgain}>
          Upload more
        </Button>
      </div>
    </>
  );
}

function Content({ job }: { job: Job }) {
  const result = readImportResult(job.result);
  return (
    <>
      {!isFinished(job.state) && <ImportProgress job={job} />}
      {isFinished(job.state) && job.state !== "succeeded" && (
        <p role="alert" style={{ margin: "0 0 12px" }}>
          {visibleText(job.message)}
        </p>
      )}
      {result !== null && <ImportCounts result={result} />}
      {result !== null && <ImportSummary result={result} />}
    </>
  );
}

/** The counts of an import, with a link to the tapes. */
function ImportCounts({ result }: { result: ImportResult }) {
  const { imported, already_there: known, batch_id: batch } = result;
  const parts = [
    ...(imported > 0 || known === 0 ? [`${countOf(imported, "tape")} imported`] : []),
    ...(known > 0 ? [`${formatExact(known)} already here`] : []),
  ];
  return (
    <div className={`ts-row ${classes.imported}`}>
      <strong>{parts.join(", ")}</strong>
      {batch !== null && (
        <Button component={Link} to={`/tapes?batch=${batch}`}>
          Show them
        </Button>
      )}
    </div>
  );
}

function ImportProgress({ job }: { job: Job }) {
  const { progress_done: done, progress_total: total } = job;
  return (
    <>
      <Progress
        size={4}
        animated={total === null}
        value={total === null || total === 0 ? 100 : (100 * done) / total}
        aria-label="Import"
      />
      <p className="ts-dimmed" style={{ marginTop: 8 }}>
        <span className="ts-number">
          {total === null ? formatExact(done) : `${formatExact(done)} of ${formatExact(total)}`}
        </span>{" "}
        {visibleText(job.message)}
      </p>
      <p className="ts-dimmed">You can leave this page; the import continues.</p>
    </>
  );
}

function CancelImport({ job }: { job: Job }) {
  const cancel = useCancelJob(job.id);
  return (
    <Button
      variant="default"
      ml="auto"
      loading={cancel.isPending}
      disabled={job.is_cancel_requested}
      onClick={() => cancel.mutate()}
    >
      {job.is_cancel_requested ? "Stopping" : "Cancel"}
    </Button>
  );
}

/** Refreshes the lists as soon as the import has finished. */
function useRefreshedLists(isOver: boolean): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    if (!isOver) return;
    void queryClient.invalidateQueries({ queryKey: tapeKeys.lists });
    void queryClient.invalidateQueries({ queryKey: ["batches"] });
  }, [isOver, queryClient]);
}
