/** A state as an icon and a word in its color; the icon of an ongoing one spins. */
import { IconLoader2, type Icon } from "@tabler/icons-react";

import classes from "@/ui/StateBadge.module.css";

export interface StateLook {
  word: string;
  icon: Icon;
  colour: string;
}

export const GOOD = "var(--ts-good)";
export const BAD = "var(--ts-bad)";
export const WARN = "var(--ts-warn)";
export const QUIET = "var(--mantine-color-dimmed)";

export const inProgress = (word: string): StateLook => ({
  word,
  icon: IconLoader2,
  colour: "var(--ts-accent)",
});

export function StateBadge({ look }: { look: StateLook }) {
  const { word, icon: Drawn, colour } = look;
  return (
    <span className={`ts-inline ${classes.badge}`} style={{ color: colour }} data-whole>
      <Drawn
        size={14}
        stroke={2}
        aria-hidden="true"
        className={Drawn === IconLoader2 ? classes.turning : undefined}
      />
      {word}
    </span>
  );
}
