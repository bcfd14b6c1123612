import { IconChevronRight } from "@tabler/icons-react";

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
  const { name, start, end } = phase;
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
      <span className="ts-truncate ts-mono">{visibleText(name)}</span>
      <span className={classes.phaseCount}>{countOf(end - start, "step")}</span>
    </button>
  );
}
