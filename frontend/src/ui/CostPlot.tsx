/** Scores against costs; costs that are far apart have a logarithmic axis. */
import { formatExact } from "@/lib/format";
import { frontierOf, isOnFrontier } from "@/lib/frontier";
import { visibleText } from "@/lib/visibleText";
import { LEFT, percent, Plot, RateGrid, RIGHT, WIDTH } from "@/ui/Plot";
import classes from "@/ui/Plot.module.css";

export interface CostPoint {
  /** Written beside the point; different for each. */
  name: string;
  /** Shown on hover. */
  label: string;
  score: number;
  low: number;
  high: number;
  /** In dollars, above 0. */
  cost: number;
}

interface CostPlotProps {
  title: string;
  /** What a cost is for, in words: "a run". */
  unit: string;
  points: readonly CostPoint[];
}

const HEIGHT = 200;
const TEN = 10;
/** From this ratio of the highest cost to the lowest, a linear axis would hide the cheap ones. */
const FAR = 20;
/** The height of a name, and the mean width of its characters. */
const LINE = 14;
const CHARACTER = 7;
const GAP = 8;

interface Place {
  x: number;
  y: number;
  width: number;
}

export function CostPlot({ title, unit, points }: CostPlotProps) {
  const { toX, ticks } = axisOf(points.map(({ cost }) => cost));
  const toY = (score: number) => 8 + (1 - score) * (HEIGHT - 32);
  const places = points.map(({ name, score, cost }) => ({
    x: toX(cost),
    y: toY(score),
    width: name.length * CHARACTER,
  }));
  return (
    <Plot
      title={`${title}; the line joins those that nothing cheaper beats`}
      told={points.map((point) => {
        const end = isOnFrontier(point, points) ? ", on the frontier" : "";
        const { name, score, cost } = point;
        return `${name} ${percent(score)} at ${dollars(cost)} ${unit}${end}`;
      })}
      height={HEIGHT}
    >
      <RateGrid toY={toY} />
      {ticks.map((cost) => (
        <text key={cost} className={classes.tick} x={toX(cost)} y={HEIGHT - 4} textAnchor="middle">
          {dollars(cost)}
        </text>
      ))}
      <polyline
        className={classes.frontier}
        points={frontierOf(points)
          .map(({ cost, score }) => `${toX(cost)},${toY(score)}`)
          .join(" ")}
      />
      {points.map(({ name, label, score, low, high, cost }, at) => {
        const { x, y, width } = places[at] ?? { x: 0, y: 0, width: 0 };
        const above = places.slice(0, at).filter((other) => isNear(other, { x, y, width })).length;
        const isAtEnd = x + GAP + width > WIDTH;
        return (
          <g key={name}>
            <title>{`${visibleText(label)}: ${percent(score)} at ${dollars(cost)}`}</title>
            <line className={classes.interval} x1={x} x2={x} y1={toY(low)} y2={toY(high)} />
            <circle className={classes.point} cx={x} cy={y} r={4} />
            <text
              className={classes.letter}
              x={isAtEnd ? x - GAP : x + GAP}
              y={y - 6 - LINE * above}
              textAnchor={isAtEnd ? "end" : "start"}
            >
              {visibleText(name)}
            </text>
          </g>
        );
      })}
    </Plot>
  );
}

/** Whether names of two points would meet. */
function isNear(one: Place, other: Place): boolean {
  const room = Math.max(one.width, other.width) + GAP;
  return Math.abs(one.x - other.x) < room && Math.abs(one.y - other.y) < LINE;
}

interface Axis {
  toX: (cost: number) => number;
  ticks: number[];
}

function axisOf(costs: readonly number[]): Axis {
  const most = Math.max(...costs);
  const least = Math.min(...costs);
  const across = (share: number) => LEFT + share * (WIDTH - LEFT - RIGHT);
  if (most < FAR * least) {
    // The last point has room for its name.
    return { toX: (cost) => across((cost / most) * 0.94), ticks: [0, most / 2, most] };
  }
  const first = Math.floor(Math.log10(least));
  const last = Math.ceil(Math.log10(most));
  return {
    toX: (cost) => across((Math.log10(cost) - first) / (last - first)),
    ticks: Array.from({ length: last - first + 1 }, (_, at) => TEN ** (first + at)),
  };
}

/** Whole dollars from a hundred on, and two significant digits below. */
function dollars(cost: number): string {
  return `$${cost < 100 ? Number(cost.toPrecision(2)) : formatExact(Math.round(cost))}`;
}
