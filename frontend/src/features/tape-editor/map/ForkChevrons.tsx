/** ‹ 2/5 › at a step where branches diverge: moves through the alternatives at this place. */
import { ActionIcon } from "@mantine/core";
import { IconChevronLeft, IconChevronRight } from "@tabler/icons-react";
import { memo } from "react";

import classes from "@/features/tape-editor/map/branchMap.module.css";
import type { Fork } from "@/features/tape-editor/map/branches";
import { useFamily } from "@/features/tape-editor/map/familyContext";
import { useTapeMoves } from "@/features/tape-editor/map/useCompare";

/** `null` or a place without a fork: renders nothing. */
export const ForkChevrons = memo(function ForkChevrons({ position }: { position: number | null }) {
  const { forks } = useFamily();
  const fork = position === null ? undefined : forks.get(position);
  return fork === undefined ? null : <Chevrons fork={fork} />;
});

function Chevrons({ fork }: { fork: Fork }) {
  const { openId } = useFamily();
  const { go } = useTapeMoves(openId);
  const { tapes, current, position } = fork;
  const before = tapes[current - 1];
  const after = tapes[current + 1];
  return (
    <span
      className={`ts-inline ts-caption ${classes.siblings}`}
      role="group"
      aria-label={`Versions of step ${position}`}
    >
      <ActionIcon
        size={20}
        aria-label={`Version before, at step ${position}`}
        disabled={before === undefined}
        onClick={() => before !== undefined && go(before.id, position)}
      >
        <IconChevronLeft size={14} />
      </ActionIcon>
      <span title={`${tapes.length} tapes continue differently from step ${position}`}>
        {current + 1}/{tapes.length}
      </span>
      <ActionIcon
        size={20}
        aria-label={`Version after, at step ${position}`}
        disabled={after === undefined}
        onClick={() => after !== undefined && go(after.id, position)}
      >
        <IconChevronRight size={14} />
      </ActionIcon>
    </span>
  );
}
