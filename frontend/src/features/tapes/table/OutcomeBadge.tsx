import { IconCircleCheck, IconCircleX } from "@tabler/icons-react";

import type { TapeRow } from "@/api/types";
import classes from "@/features/tapes/table/table.module.css";

/** Whether a tape did its task: a sign and a word, never a colour alone. */
export function OutcomeBadge({ outcome }: { outcome: TapeRow["outcome"] }) {
  if (outcome === "") return <span className="ts-dimmed">–</span>;
  const Sign = outcome === "pass" ? IconCircleCheck : IconCircleX;
  return (
    <span className={classes.outcome} data-tone={outcome === "pass" ? "good" : "bad"}>
      <Sign size={14} stroke={1.75} aria-hidden="true" />
      {outcome === "pass" ? "Pass" : "Fail"}
    </span>
  );
}
