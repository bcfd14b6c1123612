import type { ReactNode } from "react";

import classes from "@/ui/fields/fields.module.css";

/** Two sides next to each other, or one below the other. */
export function Columns({ isUnified, children }: { isUnified: boolean; children: ReactNode }) {
  return (
    <div className={classes.columns} data-unified={isUnified || undefined}>
      {children}
    </div>
  );
}
