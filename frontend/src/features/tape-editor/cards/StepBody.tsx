import { useMemo } from "react";

import classes from "@/features/tape-editor/cards/cards.module.css";
import type { StepJson } from "@/features/tape-editor/draft";
import { partsOf } from "@/lib/stepParts";
import { StepParts } from "@/ui/parts/StepParts";

export { ToolCallView } from "@/ui/parts/StepParts";

interface StepBodyProps {
  /** Identifies the place, so that unfolded texts stay unfolded. */
  slot: string;
  body: StepJson;
  /** Fields that differ from the recorded step. */
  changed?: ReadonlySet<string>;
}

export function StepBody({ slot, body, changed }: StepBodyProps) {
  const parts = useMemo(() => partsOf(body), [body]);
  if (parts.length === 0) return <p className={classes.nothing}>No data</p>;
  return (
    <div className={`ts-stack ${classes.body}`}>
      <StepParts slot={slot} parts={parts} {...(changed === undefined ? {} : { changed })} />
    </div>
  );
}
