import { IconPlayerPause } from "@tabler/icons-react";

import { useRunJob } from "@/features/tape-editor/run/useLiveRun";
import { describeBreakpoint } from "@/features/tape-editor/run/BreakpointList";
import classes from "@/features/tape-editor/run/run.module.css";
import { useHasDraft } from "@/features/tape-editor/run/useResume";
import { StepLink } from "@/features/tape-editor/run/StepLink";
import { visibleText } from "@/lib/visibleText";

/** Why the run is paused, at which breakpoint, and what can be done with the tape meanwhile. */
export function PausedNotice() {
  const job = useRunJob();
  const isEdited = useHasDraft();
  if (job?.state !== "paused") return null;
  const hit = job.run?.hit ?? null;
  return (
    <div className={`ts-row ${classes.outcome}`} data-tone="accent" role="status">
      <IconPlayerPause size={16} stroke={1.75} aria-hidden="true" className={classes.sign} />
      <span className={classes.sentence}>
        {hit === null ? (
          <strong>{job.message === "" ? "Paused." : visibleText(job.message)}</strong>
        ) : (
          <>
            <strong>Breakpoint hit:</strong> {describeBreakpoint(hit)}, at{" "}
            <StepLink position={hit.position} />.
          </>
        )}{" "}
        <span className="ts-dimmed">
          {isEdited
            ? "Continue with the edit on a fork of this tape, or discard it to continue here."
            : "Continue, take one step, or edit the tape and continue with the edit."}
        </span>
      </span>
    </div>
  );
}
