/** How an environment is: a word in its colour, a sentence, and how old that is. */
import {
  IconAlertTriangle,
  IconCircleCheck,
  IconCircleDashed,
  IconCircleX,
} from "@tabler/icons-react";

import type { Health } from "@/api/environments";
import { visibleText } from "@/lib/visibleText";
import { RelativeTime } from "@/ui/Quantities";
import { BAD, GOOD, QUIET, StateBadge, WARN, type StateLook } from "@/ui/StateBadge";

const LOOKS: Record<Health["state"], StateLook> = {
  ok: { word: "Ready", icon: IconCircleCheck, colour: GOOD },
  unchecked: { word: "Not checked", icon: IconCircleDashed, colour: QUIET },
  warning: { word: "Needs attention", icon: IconAlertTriangle, colour: WARN },
  failing: { word: "Not working", icon: IconCircleX, colour: BAD },
};

export function HealthCell({ health }: { health: Health }) {
  const { state, message, checked_at: at } = health;
  return (
    <>
      <StateBadge look={LOOKS[state]} />
      <div className="ts-caption">{visibleText(message)}</div>
      {at !== null && (
        <div className="ts-caption">
          Checked <RelativeTime value={at} />
        </div>
      )}
    </>
  );
}
