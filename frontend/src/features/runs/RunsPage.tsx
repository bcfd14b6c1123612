import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";

import { activeJobsQuery, jobKeys } from "@/api/jobs";
import { ActiveJobs } from "@/features/runs/ActiveJobs";
import { FinishedJobs } from "@/features/runs/FinishedJobs";
import { countOf } from "@/lib/format";
import { PageHeader } from "@/ui/PageHeader";

export function RunsPage() {
  const active = useQuery(activeJobsQuery());
  useFreshFinished(active.data?.map(({ id }) => id).join(" "));
  return (
    <>
      <PageHeader
        title="Runs"
        note={active.data && `${countOf(active.data.length, "job")} active`}
      />
      <ActiveJobs query={active} />
      <FinishedJobs />
    </>
  );
}

/** A job that leaves the active ones turns up below. */
function useFreshFinished(activeIds: string | undefined): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    if (activeIds !== undefined) void queryClient.invalidateQueries({ queryKey: jobKeys.finished });
  }, [activeIds, queryClient]);
}
