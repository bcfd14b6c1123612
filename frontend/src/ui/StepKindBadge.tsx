/** A step's family as an icon, a color and a word: color is never the only sign. */
import {
  IconArrowsSplit2,
  IconBulb,
  IconAlertTriangle,
  IconEye,
  IconMessages,
  IconPlayerPlay,
  type Icon,
} from "@tabler/icons-react";

import { FAMILY_WORDS, familyColour, type VisualFamily } from "@/lib/families";

const ICONS: Record<VisualFamily, Icon> = {
  communication: IconMessages,
  thought: IconBulb,
  action: IconPlayerPlay,
  observation: IconEye,
  control: IconArrowsSplit2,
  error: IconAlertTriangle,
};

interface FamilyIconProps {
  family: VisualFamily;
  size?: number;
}

export function FamilyIcon({ family, size = 16 }: FamilyIconProps) {
  const Drawn = ICONS[family];
  return (
    <Drawn
      size={size}
      stroke={1.75}
      color={familyColour(family)}
      role="img"
      aria-label={FAMILY_WORDS[family]}
      style={{ flex: "none" }}
    />
  );
}

interface StepKindBadgeProps {
  family: VisualFamily;
  /** The step's kind; without it, the family's name is shown. */
  kind?: string;
}

export function StepKindBadge({ family, kind }: StepKindBadgeProps) {
  return (
    <span
      style={{
        display: "inline-flex",
        alignItems: "center",
        gap: 6,
        color: familyColour(family),
        verticalAlign: "middle",
      }}
    >
      <FamilyIcon family={family} />
      {kind === undefined ? (
        <span aria-hidden="true">{FAMILY_WORDS[family]}</span>
      ) : (
        <span className="ts-mono">{kind}</span>
      )}
    </span>
  );
}
