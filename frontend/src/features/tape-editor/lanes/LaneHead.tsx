import { IconChevronRight } from "@tabler/icons-react";

import { type Lane, useEditor } from "@/features/tape-editor/editor";
import { LaneFacts } from "@/features/tape-editor/lanes/LaneFacts";
import classes from "@/features/tape-editor/lanes/lanes.module.css";

interface LaneHeadProps {
  lane: Lane;
  isFolded: boolean;
  /** The selected step is in it, and hidden. */
  isSelected: boolean;
}

/** The line above a lane's first card; when folded, it replaces all cards of the lane. */
export function LaneHead({ lane, isFolded, isSelected }: LaneHeadProps) {
  const dispatch = useEditor((editor) => editor.dispatch);
  return (
    <button
      type="button"
      className={`ts-row ts-hint ${classes.head}`}
      aria-expanded={!isFolded}
      aria-current={isSelected || undefined}
      onClick={() => dispatch({ type: "text.toggled", key: lane.key })}
    >
      <IconChevronRight className={classes.foldIcon} size={12} aria-hidden="true" />
      <LaneFacts lane={lane} />
    </button>
  );
}
