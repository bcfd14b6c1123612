import { Button } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { IconPlayerStop, IconRotateClockwise } from "@tabler/icons-react";

import { cancelExperiment } from "@/api/experiments";
import { cancelJob, jobKeys, requeueJob } from "@/api/jobs";
import { showFailure } from "@/api/showFailure";
import type { Job } from "@/api/types";
import { titleOf } from "@/features/runs/JobTitle";

export function CancelButton({ job }: { job: Job }) {
  const cancel = useJobAction(cancelJob, "The job was not cancelled");
  return (
    <Cancel
      title={titleOf(job)}
      isPending={cancel.isPending}
      isStopping={job.is_cancel_requested}
      onCancel={() => cancel.mutate(job.id)}
    />
  );
}

/** Stops all runs of a Run N; what they have done stays. */
export function CancelAllButton({ job }: { job: Job }) {
  const cancel = useJobAction(cancelExperiment, "The runs were not cancelled");
  return (
    <Cancel
      title={`all runs of ${titleOf(job)}`}
      isPending={cancel.isPending}
      isStopping={job.is_cancel_requested}
      onCancel={() => cancel.mutate(job.group?.experiment_id ?? "")}
    />
  );
}

interface CancelProps {
  title: string;
  isPending: boolean;
  isStopping: boolean;
  onCancel: () => void;
}

function Cancel({ title, isPending, isStopping, onCancel }: CancelProps) {
  return (
    <Button
      variant="default"
      leftSection={<IconPlayerStop size={14} />}
      loading={isPending}
      disabled={isStopping}
      aria-label={`Cancel ${title}`}
      onClick={onCancel}
    >
      {isStopping ? "Stopping" : "Cancel"}
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
      aria-label={`Run again: ${titleOf(job)}`}
      onClick={() => requeue.mutate(job.id)}
    >
      Run again
    </Button>
  );
}

function useJobAction(act: (id: string) => Promise<unknown>, refusal: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: act,
    onSettled: () => queryClient.invalidateQueries({ queryKey: jobKeys.all }),
    onError: (error) => showFailure(refusal, error),
  });
}
