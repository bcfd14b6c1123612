/** Holds a sweep with what it has in flight, or lets it go on from there. */
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
            ? "Let each run go on from where it was held"
            : "Start nothing more, and hold what is under way"
        }
        loading={change.isPending}
        onClick={() => change.mutate(isHeld ? "continue" : "pause")}
      >
        {isHeld ? "Continue" : "Pause"}
      </Button>
    </>
  );
}
