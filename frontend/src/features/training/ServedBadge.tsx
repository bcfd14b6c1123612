import {
  IconBan,
  IconCircleCheck,
  IconCircleX,
  IconLoader2,
  IconPlayerStop,
  type Icon,
} from "@tabler/icons-react";

import type { ServedModel } from "@/api/types";

export const SERVED_ADDRESS = "/training?tab=served";

const LOOKS: Record<ServedModel["state"], { word: string; icon: Icon; colour: string }> = {
  starting: { word: "Starting", icon: IconLoader2, colour: "var(--ts-accent)" },
  ready: { word: "Ready", icon: IconCircleCheck, colour: "var(--ts-good)" },
  refused: { word: "Refused", icon: IconBan, colour: "var(--ts-bad)" },
  failed: { word: "Failed", icon: IconCircleX, colour: "var(--ts-bad)" },
  stopped: { word: "Stopped", icon: IconPlayerStop, colour: "var(--mantine-color-dimmed)" },
};

export function ServedBadge({ state }: { state: ServedModel["state"] }) {
  const { word, icon: Drawn, colour } = LOOKS[state];
  return (
    <span className="ts-inline" style={{ color: colour }}>
      <Drawn size={14} stroke={2} aria-hidden="true" />
      {word}
    </span>
  );
}
