import { IconCut, IconTrash } from "@tabler/icons-react";

import classes from "@/features/tape-editor/cards/cards.module.css";
import type { Removed } from "@/features/tape-editor/draft";
import { countOf } from "@/lib/format";

/** Shows which recorded steps the child will not have. */
export function RemovedRow({ removed, isCut }: { removed: Removed; isCut: boolean }) {
  const { from, to } = removed;
  const Drawn = isCut ? IconCut : IconTrash;
  return (
    <div className={`ts-row ${classes.removed}`} role="note">
      <Drawn size={14} stroke={1.75} aria-hidden="true" />
      {isCut
        ? `Cut here: ${countOf(to - from + 1, "step")} from ${from} on left out`
        : from === to
          ? `Step ${from} deleted`
          : `Steps ${from} to ${to} deleted`}
    </div>
  );
}
