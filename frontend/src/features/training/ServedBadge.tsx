import { IconBan, IconCircleCheck, IconCircleX, IconPlayerStop } from "@tabler/icons-react";

import type { ServedModel } from "@/api/types";
import { BAD, GOOD, inProgress, QUIET, StateBadge, type StateLook } from "@/ui/StateBadge";

const LOOKS: Record<ServedModel["state"], StateLook> = {
  starting: inProgress("Starting"),
  ready: { word: "Ready", icon: IconCircleCheck, colour: GOOD },
  refused: { word: "Refused", icon: IconBan, colour: BAD },
  failed: { word: "Failed", icon: IconCircleX, colour: BAD },
  stopped: { word: "Stopped", icon: IconPlayerStop, colour: QUIET },
};

export function ServedBadge({ state }: { state: ServedModel["state"] }) {
  return <StateBadge look={LOOKS[state]} />;
}
