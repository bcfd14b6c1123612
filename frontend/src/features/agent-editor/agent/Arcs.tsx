/** The routes between nodes, drawn at the left of their list. Decoration: the rows name them too. */
import { layOutArcs, type Arc, type Route } from "@/features/agent-editor/agent/arcs";
import classes from "@/features/agent-editor/agentEditor.module.css";

export const ROW_HEIGHT = 32;
const LANE = 9;
const DOT = 4;
/** Further lanes would leave no room for the names. */
const MOST_LANES = 6;

interface ArcsProps {
  routes: readonly Route[];
  /** The rows that are nodes. */
  dots: readonly number[];
  rowCount: number;
}

export function Arcs({ routes, dots, rowCount }: ArcsProps) {
  const arcs = layOutArcs(routes);
  const lanes = Math.min(MOST_LANES, Math.max(1, ...arcs.map(({ lane }) => lane)));
  const width = (lanes + 1) * LANE + DOT;
  const height = rowCount * ROW_HEIGHT;
  return (
    <svg className={classes.arcs} width={width} height={height} aria-hidden="true">
      {arcs.map((arc) => (
        <path key={`${arc.from} ${arc.to} ${arc.label}`} d={pathOf(arc, width)} />
      ))}
      {arcs.map(({ from, to, label, lane }) => (
        <path
          key={`${from} ${to} ${label} head`}
          className={classes.arrowHead}
          d={headOf(to, width, lane === 0)}
        />
      ))}
      {dots.map((row) => (
        <circle key={row} cx={width - DOT - 1} cy={middleOf(row)} r={DOT} />
      ))}
    </svg>
  );
}

const middleOf = (row: number) => row * ROW_HEIGHT + ROW_HEIGHT / 2;

/** Out to the lane a little below the node's middle, along it, and back in a little above. */
function pathOf({ from, to, lane }: Arc, width: number): string {
  const x = width - DOT - 1;
  if (lane === 0) return `M ${x} ${middleOf(from) + DOT} V ${middleOf(to) - DOT - 3}`;
  const out = x - Math.min(lane, MOST_LANES) * LANE;
  const [start, end] = [middleOf(from) + 3, middleOf(to) - 3];
  return `M ${x} ${start} H ${out + 3} Q ${out} ${start} ${out} ${start + bend(start, end)} V ${
    end - bend(start, end)
  } Q ${out} ${end} ${out + 3} ${end} H ${x - DOT - 3}`;
}

const bend = (start: number, end: number) => (end < start ? -3 : 3);

function headOf(to: number, width: number, isFromAbove: boolean): string {
  const x = width - DOT - 1;
  const y = middleOf(to);
  if (isFromAbove) return `M ${x - 3} ${y - DOT - 4} h 6 l -3 4 z`;
  return `M ${x - DOT - 4} ${y - 6} v 6 l 4 -3 z`;
}
