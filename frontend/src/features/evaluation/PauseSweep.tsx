/** Pauses a sweep together with its runs in flight, or resumes it from there. */
import { Button } from "@mantine/core";
import { IconPlayerPause, IconPlayerPlay } from "@tabler/icons-react";

import { describeError } from "@/api/client";
import { usePauseSweep } from "@/api/sweeps";
import type { Sweep } from "@/api/types";

export function PauseSweep({ sweep }: { sweep: Sweep }) {
  const change = usePauseSweep(sweep.job_id);
  const isHeld = sweep.state === "paused" || sweep.is_pausing;
  const Icon = isHeld ? IconPlayerPlay : IconPlayerPause;
  return (
    <>
      {change.error !== null && <span role="alert">{describeError(change.error)}</span>}
      <Button
        variant="default"
        leftSection={<Icon size={14} />}
        title={
          isHeld
            ? "Continue each run from where it was paused"
            : "Start no more runs, and pause those in progress"
        }
        loading={change.isPending}
        onClick={() => change.mutate(isHeld ? "continue" : "pause")}
      >
        {isHeld ? "Continue" : "Pause"}
      </Button>
    </>
  );
}
