import { IconCircleCheck, IconCircleDashed, IconCircleX } from "@tabler/icons-react";

import type { Outcome } from "@/api/types";
import classes from "@/features/batches/batches.module.css";
import { OUTCOME_WORDS } from "@/features/batches/metrics";

const ICONS = { pass: IconCircleCheck, fail: IconCircleX, "": IconCircleDashed };

interface OutcomeMarkProps {
  outcome: Outcome;
  /** The word beside the icon; without it the icon has it as its name. */
  hasWord?: boolean;
}

export function OutcomeMark({ outcome, hasWord = false }: OutcomeMarkProps) {
  const Drawn = ICONS[outcome];
  const word = OUTCOME_WORDS[outcome];
  return (
    <span className={classes.outcome} data-outcome={outcome}>
      <Drawn
        size={16}
        stroke={1.75}
        {...(hasWord ? { "aria-hidden": true } : { role: "img", "aria-label": word })}
      />
      {hasWord && word}
    </span>
  );
}
