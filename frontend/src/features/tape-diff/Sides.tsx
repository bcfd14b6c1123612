import { ActionIcon, Anchor, Tooltip } from "@mantine/core";
import { IconArrowsLeftRight } from "@tabler/icons-react";
import { Link } from "react-router";

import type { TapeDiff } from "@/api/types";
import classes from "@/features/tape-diff/diff.module.css";
import { visibleText } from "@/lib/visibleText";
import { OutcomeMark } from "@/ui/OutcomeMark";
import { RelativeTime } from "@/ui/Quantities";

interface SidesProps {
  diff: TapeDiff;
  /** The address with the sides swapped. */
  swapped: string;
}

export function Sides({ diff: { left, right }, swapped }: SidesProps) {
  return (
    <div className={classes.sides}>
      <SideTitle side={left} word="Left" />
      <Tooltip label="Swap sides (x)">
        <ActionIcon component={Link} to={swapped} aria-label="Swap sides">
          <IconArrowsLeftRight size={16} stroke={1.75} />
        </ActionIcon>
      </Tooltip>
      <SideTitle side={right} word="Right" />
    </div>
  );
}

function SideTitle({ side, word }: { side: TapeDiff["left"]; word: string }) {
  const title = side.title === "" ? "Untitled tape" : visibleText(side.title);
  // Attempts at the same task share a title: author and time distinguish them.
  const origin = [side.agent_name || side.author, side.batch_name].filter((name) => name !== "");
  return (
    <div className={classes.side}>
      <span className={classes.dim}>{word}</span>
      <div className={classes.who}>
        <div className={`ts-row ${classes.titleLine}`}>
          {side.outcome !== "" && <OutcomeMark outcome={side.outcome} />}
          <Anchor component={Link} to={`/t/${side.id}`} className="ts-truncate" title={title}>
            {title}
          </Anchor>
        </div>
        <p className="ts-truncate ts-hint">
          {origin.map((name) => `${visibleText(name)} · `)}
          <RelativeTime value={side.created_at} />
        </p>
      </div>
    </div>
  );
}
