/** How many tapes are waiting for the linter, a button that lints them, and its progress. */
import { Button } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";

import { activeJobsQuery, isFinished } from "@/api/jobs";
import { lintKeys, startLint } from "@/api/lint";
import { useCanWrite } from "@/api/session";
import { showFailure } from "@/api/showFailure";
import { tapeKeys } from "@/api/tapes";
import { useCancelJob } from "@/api/useCancelJob";
import { useLiveJob } from "@/api/useLiveJob";
import { countOf, formatExact } from "@/lib/format";

export function StaleTapes({ count }: { count: number }) {
  const canWrite = useCanWrite();
  const active = useQuery(activeJobsQuery());
  const lint = useMutation({
    mutationFn: startLint,
    onError: (error) => showFailure("The tapes were not linted", error),
  });
  // Includes a job that somebody else started, or that was started before the page was reloaded.
  const jobId = lint.data?.id ?? active.data?.find(({ kind }) => kind === "lint")?.id;
  if (jobId !== undefined) {
    return <Linting key={jobId} jobId={jobId} canCancel={canWrite} onEnd={lint.reset} />;
  }
  return (
    <>
      {countOf(count, "tape")} {count === 1 ? "is" : "are"} out of date: new, changed, or a rule was
      changed since.{" "}
      {canWrite && (
        <Button
          size="compact-xs"
          variant="default"
          loading={lint.isPending}
          onClick={() => lint.mutate()}
        >
          Lint {count === 1 ? "it" : "them"} now
        </Button>
      )}
    </>
  );
}

interface LintingProps {
  jobId: string;
  canCancel: boolean;
  onEnd: () => void;
}

function Linting({ jobId, canCancel, onEnd }: LintingProps) {
  const queries = useQueryClient();
  const job = useLiveJob(jobId).data;
  const cancel = useCancelJob(jobId);
  const isOver = job !== undefined && isFinished(job.state);
  useEffect(() => {
    if (!isOver) return;
    void queries.invalidateQueries({ queryKey: lintKeys.all });
    void queries.invalidateQueries({ queryKey: tapeKeys.lists });
    void queries.invalidateQueries(activeJobsQuery()).then(onEnd);
  }, [isOver, queries, onEnd]);
  const { progress_done: done = 0, progress_total: total = null } = job ?? {};
  return (
    <>
      <span role="status">
        Linting…{total !== null && ` ${formatExact(done)} of ${countOf(total, "tape")}.`}
      </span>{" "}
      {canCancel && (
        <Button
          size="compact-xs"
          variant="default"
          disabled={isOver || job?.is_cancel_requested === true}
          onClick={() => cancel.mutate()}
        >
          Cancel
        </Button>
      )}
    </>
  );
}
