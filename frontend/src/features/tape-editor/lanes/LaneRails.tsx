import { laneColour } from "@/features/tape-editor/lanes/colours";
import classes from "@/features/tape-editor/lanes/lanes.module.css";
import type { Lane } from "@/features/tape-editor/editor";

const STEP = 9;
/** More would leave no room for the steps; the marks name the others. */
const MOST_DRAWN = 8;

interface LaneRailsProps {
  index: number;
  /** The lane of the step. */
  lane: Lane | null;
  /** Lanes that were open together. */
  around: readonly Lane[];
  /** Beside a card, whose first line is the middle. */
  isTall?: boolean;
}

/** How wide the lanes are drawn, in pixels. */
export function railsWidth(around: readonly Lane[]): number {
  const columns = around.map(({ column }) => column + 1);
  return Math.min(MOST_DRAWN, Math.max(0, ...columns)) * STEP;
}

/** The lanes as lines from their first to their last step, with a dot in the step's own. */
export function LaneRails({ index, lane, around, isTall = false }: LaneRailsProps) {
  if (around.length === 0) return null;
  const middle = isTall ? 20 : "50%";
  const drawn = around.filter(({ column, first, last }) => {
    return column < MOST_DRAWN && first <= index && index <= last;
  });
  return (
    <svg
      className={isTall ? classes.tallRails : classes.rails}
      width={railsWidth(around)}
      aria-hidden="true"
    >
      {drawn.map(({ key, path, column, first, last }) => {
        const x = column * STEP + STEP / 2;
        const isDot = lane?.key === key;
        const colour = laneColour(path);
        return (
          <g key={key} style={{ color: colour }}>
            <line
              x1={x}
              x2={x}
              y1={index === first ? middle : 0}
              y2={index === last ? middle : "100%"}
            />
            {isDot && <circle cx={x} cy={middle} r={3.5} />}
          </g>
        );
      })}
    </svg>
  );
}
