import { memo } from "react";

import classes from "@/features/tape-editor/cards/cards.module.css";
import { familyOf, kindOf, type StepRow } from "@/features/tape-editor/editor";
import { visibleText } from "@/lib/visibleText";

interface WaitingCardProps {
  row: StepRow;
  isSelected: boolean;
}

/** A step whose body is loading, with its first words from the outline.
 *
 * It is deliberately plain: scrolling quickly through a long tape shows hundreds of them a second.
 */
export const WaitingCard = memo(function WaitingCard({ row, isSelected }: WaitingCardProps) {
  const { index, recorded } = row;
  return (
    <article
      className={`ts-panel ${classes.card}`}
      aria-label={`Step ${index}, ${kindOf(row)}`}
      aria-current={isSelected || undefined}
      aria-busy="true"
      data-stale={row.isStale || undefined}
      data-run={row.isInRun || undefined}
      data-family={familyOf(row)}
    >
      <header className={`ts-row ${classes.head}`}>
        <span className={`ts-truncate ts-mono ${classes.kind}`}>{visibleText(kindOf(row))}</span>
        <span className="ts-hint">{index}</span>
      </header>
      <div className={classes.nothing}>{visibleText(recorded?.gist ?? "")}</div>
    </article>
  );
});
