import { Anchor } from "@mantine/core";
import { Link } from "react-router";

import type { OutlineRow } from "@/api/types";
import classes from "@/features/tape-diff/diff.module.css";
import { useStepAddress } from "@/features/tape-diff/stepAddress";
import { visualFamily } from "@/lib/families";
import { visibleText } from "@/lib/visibleText";
import { FamilyIcon } from "@/ui/StepKindBadge";

interface StepLineProps {
  tapeId: string;
  row: OutlineRow;
  /** Omits the summary, because the full text is shown below. */
  isShort?: boolean;
}

/** A step in one line, with a link to it on its tape. */
export function StepLine({ tapeId, row, isShort = false }: StepLineProps) {
  const addressOf = useStepAddress();
  const family = visualFamily(row.kind, row.family, row.is_error);
  const name = [row.agent, row.node].filter((part) => part !== "").join(".");
  return (
    <div className={`ts-row ${classes.step}`}>
      <Anchor
        component={Link}
        to={addressOf(tapeId, row.position)}
        className={classes.position}
        aria-label={`Open the tape at step ${row.position}`}
        title="Open the tape at this step"
      >
        {row.position}
      </Anchor>
      <FamilyIcon family={family} size={14} />
      <span className={`ts-truncate ts-mono ${classes.kind}`} data-family={family}>
        {visibleText(row.kind)}
      </span>
      <span className={`ts-truncate ${classes.summary}`}>
        {visibleText(isShort ? name : row.gist)}
      </span>
    </div>
  );
}
