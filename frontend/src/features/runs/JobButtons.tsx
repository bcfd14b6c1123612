import { Button } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { IconPlayerStop, IconRotateClockwise } from "@tabler/icons-react";

import { cancelJob, jobKeys, requeueJob } from "@/api/jobs";
import { showFailure } from "@/api/showFailure";
import type { Job } from "@/api/types";
import { visibleText } from "@/lib/visibleText";

export function CancelButton({ job }: { job: Job }) {
  const cancel = useJobAction(cancelJob, "The job was not cancelled");
  return (
    <Button
      variant="default"
      leftSection={<IconPlayerStop size={14} />}
      loading={cancel.isPending}
      disabled={job.is_cancel_requested}
      aria-label={`Cancel ${visibleText(job.title)}`}
      onClick={() => cancel.mutate(job.id)}
    >
      {job.is_cancel_requested ? "Stopping" : "Cancel"}
    </Button>
  );
}

export function RequeueButton({ job }: { job: Job }) {
  const requeue = useJobAction(requeueJob, "The job was not restarted");
  return (
    <Button
      variant="subtle"
      color="gray"
      size="compact-xs"
      leftSection={<IconRotateClockwise size={14} />}
      loading={requeue.isPending}
      aria-label={`Run again: ${visibleText(job.title)}`}
      onClick={() => requeue.mutate(job.id)}
    >
      Run again
    </Button>
  );
}

function useJobAction(act: (jobId: string) => Promise<Job>, refusal: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: act,
    onSettled: () => queryClient.invalidateQueries({ queryKey: jobKeys.all }),
    onError: (error) => showFailure(refusal, error),
  });
}
