import type { ReactNode } from "react";

import classes from "@/features/tape-editor/form/form.module.css";

interface AdvancedProps {
  title?: string;
  /** Something in it needs attention. */
  startsOpen: boolean;
  children: ReactNode;
}

/** Rarely needed fields, folded below the others. */
export function Advanced({ title = "Advanced", startsOpen, children }: AdvancedProps) {
  return (
    <details className={classes.advanced} open={startsOpen}>
      <summary className="ts-hint">{title}</summary>
      <div className="ts-stack">{children}</div>
    </details>
  );
}
