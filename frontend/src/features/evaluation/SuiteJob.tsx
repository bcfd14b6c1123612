/** A run of a suite that was started on its page, until it has ended. */
import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { Link } from "react-router";

import { isFinished } from "@/api/jobs";
import { suiteKeys } from "@/api/suites";
import { useFollowedJob } from "@/api/useFollowedJob";
import { visibleText } from "@/lib/visibleText";
import { FollowedJob } from "@/ui/FollowedJob";

export function SuiteJob({ jobId }: { jobId: string }) {
  const followed = useFollowedJob(jobId);
  const queries = useQueryClient();
  const isOver = followed.job !== undefined && isFinished(followed.job.state);
  useEffect(() => {
    if (isOver) void queries.invalidateQueries({ queryKey: suiteKeys.all });
  }, [isOver, queries]);
  return (
    <FollowedJob
      followed={followed}
      what="run of the suite"
      note="It keeps running when you leave the page; the results appear in the table below."
      cancelled="The run was stopped; tests that it had not run are missing."
      result={({ state, message }) =>
        state === "succeeded" ? <p role="status">Done: {visibleText(message)}</p> : null
      }
      after={<Link to={`/evaluation/${jobId}`}>Open as a sweep</Link>}
    />
  );
}
