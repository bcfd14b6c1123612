import {
  IconBan,
  IconCircleCheck,
  IconCircleX,
  IconClock,
  IconHourglass,
  IconPlayerPause,
} from "@tabler/icons-react";

import { BAD, GOOD, inProgress, QUIET, StateBadge, WARN, type StateLook } from "@/ui/StateBadge";

export type JobState =
  "queued" | "running" | "waiting" | "paused" | "succeeded" | "failed" | "cancelled";

const LOOKS: Record<JobState, StateLook> = {
  queued: { word: "Queued", icon: IconClock, colour: QUIET },
  running: inProgress("Running"),
  waiting: { word: "Waiting for you", icon: IconHourglass, colour: WARN },
  paused: { word: "Paused", icon: IconPlayerPause, colour: QUIET },
  succeeded: { word: "Succeeded", icon: IconCircleCheck, colour: GOOD },
  failed: { word: "Failed", icon: IconCircleX, colour: BAD },
  cancelled: { word: "Cancelled", icon: IconBan, colour: QUIET },
};

export function JobStateBadge({ state }: { state: JobState }) {
  return <StateBadge look={LOOKS[state]} />;
}
