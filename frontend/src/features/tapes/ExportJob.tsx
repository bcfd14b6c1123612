/** An export as it is written: progress and cancel, then the file and what is not in it. */
import { Button, Group, Progress, Stack } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";

import { describeError } from "@/api/client";
import { exportFileUrl, readExportResult, type ExportResult } from "@/api/exports";
import { isFinished } from "@/api/jobs";
import type { Job } from "@/api/types";
import { useCancelJob } from "@/api/useCancelJob";
import { useLiveJob } from "@/api/useLiveJob";
import classes from "@/features/tapes/Tapes.module.css";
import { countOf, formatBytes, formatExact } from "@/lib/format";
import { visibleText } from "@/lib/visibleText";
import { ErrorState, RowsSkeleton } from "@/ui/States";

interface ExportJobProps {
  jobId: string;
  onAgain: () => void;
}

export function ExportJob({ jobId, onAgain }: ExportJobProps) {
  const job = useLiveJob(jobId);
  if (job.data === undefined) {
    if (job.isPending) return <RowsSkeleton label="Loading the export" rows={2} />;
    return (
      <ErrorState
        title="The export could not be loaded"
        message={describeError(job.error)}
        onRetry={() => void job.refetch()}
      />
    );
  }
  const result = readExportResult(job.data.result);
  return (
    <Stack gap={12} aria-live="polite">
      {!isFinished(job.data.state) && <Writing job={job.data} />}
      {result !== null && <Written jobId={jobId} result={result} />}
      {isFinished(job.data.state) && result === null && (
        <p role="alert" className={classes.exportNote}>
          {job.data.state === "cancelled"
            ? "The export was cancelled."
            : visibleText(job.data.message)}
        </p>
      )}
      {isFinished(job.data.state) && (
        <Button variant="default" onClick={onAgain}>
          Export in another format
        </Button>
      )}
    </Stack>
  );
}

function Writing({ job }: { job: Job }) {
  const cancel = useCancelJob(job.id);
  const { progress_done: done, progress_total: total } = job;
  return (
    <>
      <Progress
        size={4}
        animated={total === null}
        value={total === null || total === 0 ? 100 : (100 * done) / total}
        aria-label="Export"
      />
      <Group justify="space-between">
        <span className="ts-number ts-dimmed">
          {total === null ? formatExact(done) : `${formatExact(done)} of ${formatExact(total)}`}
        </span>
        <Button
          variant="default"
          loading={cancel.isPending}
          disabled={job.is_cancel_requested}
          onClick={() => cancel.mutate()}
        >
          {job.is_cancel_requested ? "Stopping" : "Cancel"}
        </Button>
      </Group>
      <p className={classes.exportNote}>
        You may close this and leave the page: the export goes on, and is under Runs.
      </p>
    </>
  );
}

function Written({ jobId, result }: { jobId: string; result: ExportResult }) {
  return (
    <>
      <p className={classes.exportNote}>{countOf(result.tapes, "tape")} written.</p>
      {result.left_out.length > 0 && (
        <ul className={classes.exportNote} aria-label="Left out">
          {result.left_out.map(({ why, tape_count: count }) => (
            <li key={why}>
              {countOf(count, "tape")} {visibleText(why)} left out
            </li>
          ))}
        </ul>
      )}
      <Button
        component="a"
        href={exportFileUrl(jobId)}
        download
        leftSection={<IconDownload size={14} />}
      >
        Download {visibleText(result.file_name)} ({formatBytes(result.size_bytes)})
      </Button>
    </>
  );
}
