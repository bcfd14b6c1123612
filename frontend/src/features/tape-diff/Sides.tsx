import { ActionIcon, Anchor, Tooltip } from "@mantine/core";
import { IconArrowsLeftRight } from "@tabler/icons-react";
import { Link } from "react-router";

import type { TapeDiff } from "@/api/types";
import classes from "@/features/tape-diff/diff.module.css";
import { visibleText } from "@/lib/visibleText";

interface SidesProps {
  diff: TapeDiff;
  /** Where they stand the other way round. */
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
  return (
    <div className={classes.side}>
      <span className={classes.dim}>{word}</span>
      <Anchor component={Link} to={`/t/${side.id}`} className={classes.sideTitle} title={title}>
        {title}
      </Anchor>
    </div>
  );
}
