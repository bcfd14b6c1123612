/** Progress in a table cell: a bar while it continues, and the numbers. */
import { Progress } from "@mantine/core";
import type { ReactNode } from "react";

import { formatExact } from "@/lib/format";
import { visibleText } from "@/lib/visibleText";
import classes from "@/ui/ProgressCell.module.css";

interface ProgressCellProps {
  name: string;
  done: number;
  total: number;
  isOver: boolean;
  /** Text after the numbers. */
  children?: ReactNode;
}

export function ProgressCell({ name, done, total, isOver, children }: ProgressCellProps) {
  return (
    <span className={`ts-row ${classes.cell}`}>
      {!isOver && (
        <Progress
          size={4}
          value={(100 * done) / total}
          aria-label={`Progress of ${visibleText(name)}`}
        />
      )}
      <span className="ts-number ts-caption">
        {formatExact(done)} of {formatExact(total)}
        {children}
      </span>
    </span>
  );
}
