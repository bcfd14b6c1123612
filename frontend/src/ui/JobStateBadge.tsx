import {
  IconBan,
  IconCircleCheck,
  IconCircleX,
  IconClock,
  IconHourglass,
  IconLoader2,
  IconPlayerPause,
  type Icon,
} from "@tabler/icons-react";

import classes from "@/ui/JobStateBadge.module.css";

export type JobState =
  "queued" | "running" | "waiting" | "paused" | "succeeded" | "failed" | "cancelled";

const LOOKS: Record<JobState, { word: string; icon: Icon; colour: string }> = {
  queued: { word: "Queued", icon: IconClock, colour: "var(--mantine-color-dimmed)" },
  running: { word: "Running", icon: IconLoader2, colour: "var(--ts-accent)" },
  waiting: { word: "Waiting for you", icon: IconHourglass, colour: "var(--ts-warn)" },
  paused: { word: "Paused", icon: IconPlayerPause, colour: "var(--mantine-color-dimmed)" },
  succeeded: { word: "Succeeded", icon: IconCircleCheck, colour: "var(--ts-good)" },
  failed: { word: "Failed", icon: IconCircleX, colour: "var(--ts-bad)" },
  cancelled: { word: "Cancelled", icon: IconBan, colour: "var(--mantine-color-dimmed)" },
};

export function JobStateBadge({ state }: { state: JobState }) {
  const { word, icon: Drawn, colour } = LOOKS[state];
  return (
    <span className={`ts-inline ${classes.badge}`} style={{ color: colour }}>
      <Drawn
        size={14}
        stroke={2}
        aria-hidden="true"
        className={state === "running" ? classes.turning : undefined}
      />
      {word}
    </span>
  );
}
