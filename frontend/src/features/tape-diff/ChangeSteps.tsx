import { ActionIcon, Tooltip } from "@mantine/core";
import { IconArrowDown, IconArrowUp } from "@tabler/icons-react";

import classes from "@/features/tape-diff/diff.module.css";
import { countOf } from "@/lib/format";

interface ChangeStepsProps {
  change: number | null;
  count: number;
  onGo: (change: number) => void;
}

export function ChangeSteps({ change, count, onGo }: ChangeStepsProps) {
  return (
    <div className={`ts-row ${classes.steps}`}>
      <span className={classes.dim}>
        {change === null ? countOf(count, "change") : `Change ${change + 1} of ${count}`}
      </span>
      <Tooltip label="Previous change (p)">
        <ActionIcon
          aria-label="Previous change"
          disabled={change === null || change === 0}
          onClick={() => onGo((change ?? 0) - 1)}
        >
          <IconArrowUp size={16} stroke={1.75} />
        </ActionIcon>
      </Tooltip>
      <Tooltip label="Next change (n)">
        <ActionIcon
          aria-label="Next change"
          disabled={count === 0 || change === count - 1}
          onClick={() => onGo(change === null ? 0 : change + 1)}
        >
          <IconArrowDown size={16} stroke={1.75} />
        </ActionIcon>
      </Tooltip>
    </div>
  );
}
