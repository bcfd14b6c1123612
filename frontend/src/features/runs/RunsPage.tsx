import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";

import { activeJobsQuery, jobKeys, useActiveJobCount } from "@/api/jobs";
import { ActiveJobs } from "@/features/runs/ActiveJobs";
import { FinishedJobs } from "@/features/runs/FinishedJobs";
import { countOf } from "@/lib/format";
import { PageHeader } from "@/ui/PageHeader";

export function RunsPage() {
  const active = useQuery(activeJobsQuery({ folded: true }));
  const count = useActiveJobCount();
  useFreshFinished(active.data?.map(({ id }) => id).join(" "));
  return (
    <>
      <PageHeader title="Runs" note={active.data && `${countOf(count, "job")} active`} />
      <ActiveJobs query={active} />
      <FinishedJobs />
    </>
  );
}

/** Refetches finished jobs when the active ones change: a job may have moved between them. */
function useFreshFinished(activeIds: string | undefined): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    if (activeIds !== undefined) void queryClient.invalidateQueries({ queryKey: jobKeys.finished });
  }, [activeIds, queryClient]);
}
