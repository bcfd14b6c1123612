/** A button that checks an environment, and the check while it is under way. */
import { Button } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";

import { checkEnvironment, environmentKeys } from "@/api/environments";
import { isFinished } from "@/api/jobs";
import { useCanWrite } from "@/api/session";
import { showFailure } from "@/api/showFailure";
import { useFollowedJob } from "@/api/useFollowedJob";
import { unheardWords } from "@/lib/unheardQueues";

interface CheckNowProps {
  name: string;
  /** The check that somebody started, perhaps before the page was opened. */
  checkId: string | null;
}

export function CheckNow({ name, checkId }: CheckNowProps) {
  const canWrite = useCanWrite();
  const check = useMutation({
    mutationFn: () => checkEnvironment(name),
    onError: (error) => showFailure("It was not checked", error),
  });
  const jobId = check.data?.id ?? checkId;
  if (jobId !== null) {
    return <Checking key={jobId} jobId={jobId} canCancel={canWrite} onEnd={check.reset} />;
  }
  if (!canWrite) return null;
  return (
    <Button
      size="compact-xs"
      variant="default"
      mt={4}
      loading={check.isPending}
      aria-label={`Check now: ${name.replace(/^mcp\./, "")}`}
      onClick={() => check.mutate()}
    >
      Check now
    </Button>
  );
}

interface CheckingProps {
  jobId: string;
  canCancel: boolean;
  onEnd: () => void;
}

function Checking({ jobId, canCancel, onEnd }: CheckingProps) {
  const queries = useQueryClient();
  const { job, cancel, isCancelling, unheardQueue } = useFollowedJob(jobId);
  const isOver = job !== undefined && isFinished(job.state);
  useEffect(() => {
    if (!isOver) return;
    void queries.invalidateQueries({ queryKey: environmentKeys.all }).then(onEnd);
  }, [isOver, queries, onEnd]);
  return (
    <div className="ts-row">
      <span role="status" className="ts-caption">
        {unheardQueue === "" ? "Checking…" : unheardWords([unheardQueue])}
      </span>
      {canCancel && (
        <Button
          size="compact-xs"
          variant="default"
          disabled={isOver || isCancelling || job?.is_cancel_requested === true}
          onClick={cancel}
        >
          Cancel
        </Button>
      )}
    </div>
  );
}
