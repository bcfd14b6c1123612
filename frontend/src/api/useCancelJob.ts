import { useMutation, useQueryClient } from "@tanstack/react-query";

import { cancelJob, jobKeys } from "@/api/jobs";

/** Asks a job to stop; whatever the result, what is shown of jobs is read again. */
export function useCancelJob(jobId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => cancelJob(jobId),
    onSettled: () => queryClient.invalidateQueries({ queryKey: jobKeys.all }),
  });
}
