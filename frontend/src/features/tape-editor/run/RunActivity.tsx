/** What the run is doing right now: who writes what, how fast, for how long, the cost so far. */
import { IconPlugConnectedX } from "@tabler/icons-react";

import { useUnheardQueue } from "@/api/jobs";
import type { Job } from "@/api/types";
import { useEditor } from "@/features/tape-editor/editor";
import {
  describeWriting,
  secondsWorked,
  tokensPerSecond,
  useTick,
} from "@/features/tape-editor/live";
import { outcomeText } from "@/features/tape-editor/run/estimateText";
import classes from "@/features/tape-editor/run/run.module.css";
import { RUN_WORKED } from "@/lib/durations";
import { countOf, formatClock, formatSeconds } from "@/lib/format";
import { useConnection } from "@/lib/connection";
import { unheardWords } from "@/lib/unheardQueues";
import { visibleText } from "@/lib/visibleText";
import { JobStateBadge } from "@/ui/JobStateBadge";

export function RunActivity({ job }: { job: Job | null }) {
  const { state, steps } = useEditor(({ live }) => live);
  const lostSince = useConnection(({ lost }) => lost.get(`job ${job?.id ?? ""}`));
  return (
    <div className={`ts-row ${classes.activity}`}>
      {state !== null && <JobStateBadge state={state} />}
      {lostSince !== undefined && (
        <span className={`ts-row ${classes.lost}`} role="status">
          <IconPlugConnectedX size={14} aria-hidden="true" />
          Not connected since {formatClock(lostSince)}; the run continues, and this page will catch
          up
        </span>
      )}
      {state === "queued" && job !== null && <Unheard jobId={job.id} />}
      {state === "running" ? <Doing /> : <Rest job={job} />}
      {state === "running" && steps.size > 0 && (
        <span className="ts-dimmed">{countOf(steps.size, "step")} so far</span>
      )}
    </div>
  );
}

function Unheard({ jobId }: { jobId: string }) {
  const queue = useUnheardQueue(jobId, true);
  return queue === "" ? null : <span className="ts-bad">{unheardWords([queue])}</span>;
}

function Doing() {
  const writing = useEditor(({ live }) => live.writing);
  const now = useTick(TICK_MS);
  const pace = writing === null ? null : tokensPerSecond(writing.pace, now);
  return (
    <>
      {writing !== null && (
        <span className={`ts-row ts-truncate ts-mono ${classes.doing}`}>
          <span className={classes.pulse} aria-hidden="true" />
          {visibleText(describeWriting(writing))}
        </span>
      )}
      {pace !== null && <span className="ts-dimmed">about {pace} tokens/s</span>}
      <Elapsed now={now} />
    </>
  );
}

/** What was spent until the run paused or began to wait. */
function Rest({ job }: { job: Job | null }) {
  if (job?.run === null || job === null || job.run.call_count === 0) return null;
  return <span className="ts-dimmed">{outcomeText(job.run)} so far</span>;
}

const TICK_MS = 500;

/** Time worked, as the server counts it: earlier stretches and the current one. */
function Elapsed({ now }: { now: number }) {
  const work = useEditor(({ live }) => live.work);
  const clock = useEditor(({ live }) => live.clock);
  const worked = secondsWorked({ work, clock }, now);
  if (worked === null) return null;
  const seconds = Math.floor(worked);
  return (
    <span className="ts-dimmed" title={RUN_WORKED}>
      worked {seconds < 60 ? `${seconds} s` : formatSeconds(seconds)}
    </span>
  );
}
