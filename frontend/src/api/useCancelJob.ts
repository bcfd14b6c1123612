import { useMutation, useQueryClient } from "@tanstack/react-query";

import { cancelJob, jobKeys } from "@/api/jobs";

/** Asks a job to stop; then refetches what is shown of jobs, whether or not that succeeded. */
export function useCancelJob(jobId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => cancelJob(jobId),
    onSettled: () => queryClient.invalidateQueries({ queryKey: jobKeys.all }),
  });
}
