import { laneColour } from "@/features/tape-editor/lanes/colours";
import classes from "@/features/tape-editor/lanes/lanes.module.css";
import { nameOfLane } from "@/features/tape-editor/editor";
import { visibleText } from "@/lib/visibleText";

interface LaneMarkProps {
  path: string;
  member?: string | undefined;
  /** Only the number is drawn. */
  isShort?: boolean;
}

/** The number of a lane, and whose it is. */
export function LaneMark({ path, member = "", isShort = false }: LaneMarkProps) {
  return (
    <span
      className={`ts-truncate ${classes.mark}`}
      style={{ color: laneColour(path) }}
      data-short={isShort || undefined}
      title={nameOfLane({ path, member })}
    >
      <span className="ts-visually-hidden">lane </span>
      {path}
      {member !== "" && (
        <span className={isShort ? "ts-visually-hidden" : undefined}> {visibleText(member)}</span>
      )}
    </span>
  );
}
