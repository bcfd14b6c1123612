/** Rows of a list or a table: a few until the reader asks for more, very long ones in parts. */
import { useState } from "react";

import { countOf, formatExact } from "@/lib/format";
import { MoreButton } from "@/ui/MoreButton";
import { useFold } from "@/ui/parts/folds";
import classes from "@/ui/parts/parts.module.css";

export const FEW_ROWS = 12;
const PART = 200;

export interface VisibleRows {
  /** How many rows to draw. */
  shown: number;
  count: number;
  isOpen: boolean;
  onToggle: () => void;
  onMore: () => void;
}

/** `slot` identifies the place, to remember its open state; `few` rows show while it is closed. */
export function useVisibleRows(slot: string, count: number, few = FEW_ROWS): VisibleRows {
  const [isOpen, onToggle] = useFold(`${slot}#rows`);
  const [most, setMost] = useState(PART);
  return {
    shown: Math.min(count, isOpen ? Math.max(most, few) : few),
    count,
    isOpen,
    onToggle,
    onMore: () => setMost(most + 5 * PART),
  };
}

interface ShowMoreProps {
  rows: VisibleRows;
  /** The word for a row: "row", "item". */
  noun: string;
}

export function ShowMore({ rows, noun }: ShowMoreProps) {
  const { shown, count, isOpen, onToggle, onMore } = rows;
  if (!isOpen && shown >= count) return null;
  return (
    <div className={classes.foot}>
      {!isOpen && (
        <MoreButton onClick={onToggle}>
          {count <= PART
            ? `Show all ${countOf(count, noun)}`
            : `Show ${formatExact(PART)} of ${countOf(count, noun)}`}
        </MoreButton>
      )}
      {isOpen && shown < count && (
        <MoreButton onClick={onMore}>Show more ({formatExact(count - shown)} left)</MoreButton>
      )}
      {isOpen && <MoreButton onClick={onToggle}>Show less</MoreButton>}
    </div>
  );
}
