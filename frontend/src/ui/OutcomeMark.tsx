/** Whether a tape accomplished its task: an icon and a word, never a color alone. */
import { IconCircleCheck, IconCircleDashed, IconCircleX } from "@tabler/icons-react";

import { OUTCOME_WORDS, type Outcome } from "@/lib/outcomes";
import classes from "@/ui/OutcomeMark.module.css";

const ICONS = { pass: IconCircleCheck, fail: IconCircleX, "": IconCircleDashed };

interface OutcomeMarkProps {
  outcome: Outcome;
  /** The word next to the icon; without it, the icon has an accessible name instead. */
  word?: string;
}

export function OutcomeMark({ outcome, word }: OutcomeMarkProps) {
  const Sign = ICONS[outcome];
  return (
    <span className={`ts-inline ${classes.outcome}`} data-outcome={outcome}>
      <Sign
        size={16}
        stroke={1.75}
        {...(word === undefined
          ? { role: "img", "aria-label": OUTCOME_WORDS[outcome] }
          : { "aria-hidden": true })}
      />
      {word}
    </span>
  );
}
