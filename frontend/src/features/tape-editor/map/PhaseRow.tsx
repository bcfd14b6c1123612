import { IconChevronRight } from "@tabler/icons-react";

import { LaneFacts } from "@/features/tape-editor/lanes";
import classes from "@/features/tape-editor/map/map.module.css";
import type { Phase } from "@/features/tape-editor/map/phases";
import { countOf } from "@/lib/format";
import { visibleText } from "@/lib/visibleText";

interface PhaseRowProps {
  phase: Phase;
  isFolded: boolean;
  /** The selected step is in it, and hidden. */
  isSelected: boolean;
  onToggle: (phase: Phase) => void;
}

/** The row above a phase's steps; when folded, it replaces them. */
export function PhaseRow({ phase, isFolded, isSelected, onToggle }: PhaseRowProps) {
  const { name, start, end, lane } = phase;
  return (
    <button
      type="button"
      className={`ts-row ts-hint ${classes.phase}`}
      aria-expanded={!isFolded}
      aria-current={isSelected || undefined}
      title={`${visibleText(name)}, steps ${start} to ${end - 1}`}
      onClick={() => onToggle(phase)}
    >
      <IconChevronRight className={classes.foldIcon} size={12} aria-hidden="true" />
      {lane === undefined ? (
        <>
          <span className="ts-truncate ts-mono">{visibleText(name)}</span>
          <span className={classes.phaseCount}>{countOf(end - start, "step")}</span>
        </>
      ) : (
        <LaneFacts lane={lane} />
      )}
    </button>
  );
}
