/** An export in progress: a bar and a cancel button, then the file and what it lacks. */
import { Button } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { Fragment } from "react";
import { Link } from "react-router";

import { exportFileUrl, readExportResult, type ExportResult } from "@/api/exports";
import { useFollowedJob } from "@/api/useFollowedJob";
import { UnderRuns } from "@/features/tapes/UnderRuns";
import { countOf, formatBytes } from "@/lib/format";
import { visibleText } from "@/lib/visibleText";
import { FollowedJob } from "@/ui/FollowedJob";
import { LostParts } from "@/ui/LostParts";

interface ExportJobProps {
  jobId: string;
  /** Omitted where there is nothing else to choose. */
  onAgain?: () => void;
}

export function ExportJob({ jobId, onAgain }: ExportJobProps) {
  return (
    <FollowedJob
      followed={useFollowedJob(jobId)}
      what="export"
      note={
        <>
          You can leave this page; the export continues. <UnderRuns jobId={jobId} />
        </>
      }
      cancelled="The export was cancelled."
      result={(job) => {
        const result = readExportResult(job.result);
        return result === null ? null : <Written jobId={jobId} result={result} />;
      }}
      after={
        onAgain !== undefined && (
          <Button variant="default" onClick={onAgain}>
            Export in another format
          </Button>
        )
      }
    />
  );
}

const NAMED = 5;

/** The tapes that the format cannot represent: the first few, as links. */
function UnfitTapes({ ids }: { ids: ExportResult["unfit"] }) {
  if (ids.length === 0) return null;
  return (
    <>
      {" ("}
      {ids.slice(0, NAMED).map(({ tape_id: id }, index) => (
        <Fragment key={id}>
          {index > 0 && ", "}
          <Link to={`/t/${id}`}>{id.slice(0, 8)}</Link>
        </Fragment>
      ))}
      {ids.length > NAMED && " and others"})
    </>
  );
}

function Written({ jobId, result }: { jobId: string; result: ExportResult }) {
  return (
    <>
      <div>
        {countOf(result.tapes, "tape")} written.
        <LostParts parts={result.lost} />
      </div>
      {result.left_out.length > 0 && (
        <ul aria-label="Left out">
          {result.left_out.map(({ why, tape_count: count }) => (
            <li key={why}>
              {countOf(count, "tape")} omitted: {visibleText(why)}
              <UnfitTapes ids={result.unfit.filter((one) => one.why === why)} />
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
