/** A run that is running, waiting or paused: what it does, and the controls to steer it. */
import { Button } from "@mantine/core";
import {
  IconMessagePlus,
  IconPlayerPause,
  IconPlayerPlay,
  IconPlayerStop,
  IconPlayerTrackNext,
} from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useMemo, useState } from "react";

import { describeError } from "@/api/client";
import { cancelJob, continueJob, jobQuery, pauseJob } from "@/api/jobs";
import type { Job } from "@/api/types";
import { useEditor } from "@/features/tape-editor/editor";
import { useRunJob } from "@/features/tape-editor/run/useLiveRun";
import { loadKept } from "@/features/tape-editor/run/keptReplies";
import { LiveBreakpoints } from "@/features/tape-editor/run/LiveBreakpoints";
import classes from "@/features/tape-editor/run/run.module.css";
import { RunActivity } from "@/features/tape-editor/run/RunActivity";
import { SteerBox } from "@/features/tape-editor/run/SteerBox";
import { useHasDraft } from "@/features/tape-editor/run/useResume";
import { useKeys } from "@/lib/keys";

export function RunningControls({ canWrite }: { canWrite: boolean }) {
  const job = useRunJob();
  const tapeId = useEditor(({ live }) => live.tapeId);
  const [isSteering, setSteering] = useState(() => loadKept("steer", tapeId) !== "");
  const state = useEditor(({ live }) => live.state);
  return (
    <>
      {canWrite && (isSteering || (job?.control.messages ?? []).length > 0) && (
        <SteerBox job={job} isOpen={isSteering} onClose={() => setSteering(false)} />
      )}
      <div className={`ts-row ${classes.bar}`}>
        <RunActivity job={job} />
        {canWrite && job !== null && (
          <span className={`ts-row ${classes.end}`}>
            {state !== "waiting" && (
              <Button
                variant="default"
                leftSection={<IconMessagePlus size={14} />}
                aria-expanded={isSteering}
                title="Send the agent a message; it reads it on its next turn"
                onClick={() => setSteering(!isSteering)}
              >
                Steer
              </Button>
            )}
            <LiveBreakpoints job={job} />
            <Commands job={job} />
          </span>
        )}
      </div>
    </>
  );
}

/** Pause, Step, Continue, Stop; the state determines which are shown. */
function Commands({ job }: { job: Job }) {
  const state = useEditor(({ live }) => live.state);
  const queries = useQueryClient();
  const put = (answered: Job) => queries.setQueryData(jobQuery(job.id).queryKey, answered);
  const stop = useMutation({ mutationFn: () => cancelJob(job.id), onSuccess: put });
  const pause = useMutation({ mutationFn: () => pauseJob(job.id), onSuccess: put });
  const goOn = useMutation({
    mutationFn: (mode: "run" | "step") => continueJob(job.id, mode),
    onSuccess: put,
  });
  const isStopping = stop.isPending || job.is_cancel_requested;
  const isPausing = pause.isPending || job.control.pause_asked_by !== "";
  const error = stop.error ?? pause.error ?? goOn.error;
  const { mutate } = goOn;
  // With an edit, the same keys resume from the edit: to continue would leave it out.
  const isEdited = useHasDraft();
  const canContinue = state === "paused" && !isEdited;
  useContinueKey(canContinue, mutate);
  return (
    <>
      {error !== null && (
        <span className="ts-bad" role="alert">
          {describeError(error)}
        </span>
      )}
      {canContinue && (
        <>
          <Button
            variant="default"
            leftSection={<IconPlayerTrackNext size={14} />}
            disabled={goOn.isPending}
            title="Run one node or one action, then pause again"
            onClick={() => mutate("step")}
          >
            Step
          </Button>
          <Button
            leftSection={<IconPlayerPlay size={14} />}
            loading={goOn.isPending}
            title="Continue (Ctrl or ⌘ Enter)"
            onClick={() => mutate("run")}
          >
            Continue
          </Button>
        </>
      )}
      {state !== "paused" && state !== "waiting" && (
        <Button
          variant="default"
          leftSection={<IconPlayerPause size={14} />}
          title="Pause at the next step"
          onClick={() => (isPausing ? mutate("run") : pause.mutate())}
        >
          {isPausing ? "Pausing; click to continue" : "Pause"}
        </Button>
      )}
      <Button
        variant="default"
        leftSection={<IconPlayerStop size={14} />}
        disabled={isStopping}
        title="Stop; the steps so far are kept"
        onClick={() => stop.mutate()}
      >
        {isStopping ? "Stopping" : "Stop"}
      </Button>
    </>
  );
}

function useContinueKey(isPaused: boolean, goOn: (mode: "run" | "step") => void): void {
  const bindings = useMemo(
    () =>
      isPaused
        ? [{ keys: "mod+Enter", label: "Continue", whileTyping: true, run: () => goOn("run") }]
        : [],
    [isPaused, goOn],
  );
  useKeys("Tape", bindings);
}
