/** Curves over steps: hover to inspect a point, click or use the arrow keys to choose one. */
import { useId, useMemo, useState, type PointerEvent } from "react";

import { roundTicks, thinOut, type Point } from "@/lib/curve";
import classes from "@/ui/LineChart.module.css";

export interface Curve {
  name: string;
  points: readonly Point[];
  /** A few separate points: each has a dot, and the line is dashed. */
  isSparse?: boolean;
}

interface LineChartProps {
  /** The measure that is drawn: "Loss". */
  label: string;
  curves: readonly Curve[];
  format: (value: number) => string;
  /** The x of the inspected point; `null` for the last one. */
  chosen: number | null;
  onChoose: (x: number) => void;
  height?: number;
}

const WIDTH = 1000;
const MOST_POINTS = 600;

export function LineChart({ label, curves, format, chosen, onChoose, ...rest }: LineChartProps) {
  const height = rest.height ?? 180;
  const id = useId();
  const [hovered, setHovered] = useState<number | null>(null);
  const box = useMemo(() => boxOf(curves), [curves]);
  if (box === null) return null;
  const toX = (x: number) => (WIDTH * (x - box.left)) / (box.right - box.left || 1);
  const toY = (y: number) => height - (height * (y - box.low)) / (box.high - box.low || 1);
  const looked = hovered ?? chosen ?? box.right;
  const xAt = (event: PointerEvent<SVGSVGElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const share = Math.min(1, Math.max(0, (event.clientX - left) / (width || 1)));
    return Math.round(box.left + share * (box.right - box.left));
  };
  return (
    <figure className={classes.chart} aria-labelledby={id}>
      <figcaption id={id} className={`ts-row ${classes.caption}`}>
        <h3>{label}</h3>
        <span className="ts-number ts-dimmed">step {looked}</span>
        {curves.map(({ name, points }, at) => {
          const point = pointAt(points, looked);
          return (
            <span key={name} className={`ts-inline ts-number ${classes.key}`} data-curve={at}>
              {name} {point === undefined ? "–" : format(point.y)}
            </span>
          );
        })}
      </figcaption>
      <div className={classes.plot}>
        <div className={`ts-caption ${classes.ticks}`} style={{ height }} aria-hidden="true">
          {roundTicks(box.low, box.high).map((tick) => (
            <span key={tick} style={{ top: toY(tick) }}>
              {format(tick)}
            </span>
          ))}
        </div>
        <svg
          className={classes.canvas}
          viewBox={`0 0 ${WIDTH} ${height}`}
          height={height}
          preserveAspectRatio="none"
          aria-hidden="true"
          onPointerMove={(event) => setHovered(xAt(event))}
          onPointerLeave={() => setHovered(null)}
          onClick={() => hovered !== null && onChoose(hovered)}
        >
          {roundTicks(box.low, box.high).map((tick) => (
            <line key={tick} className={classes.grid} x2={WIDTH} y1={toY(tick)} y2={toY(tick)} />
          ))}
          {curves.map(({ name, points, isSparse = false }, at) => (
            <g key={name} data-curve={at}>
              <polyline
                className={classes.line}
                data-sparse={isSparse || undefined}
                points={thinOut(points, MOST_POINTS)
                  .map(({ x, y }) => `${toX(x).toFixed(1)},${toY(y).toFixed(1)}`)
                  .join(" ")}
              />
              {isSparse &&
                points.map(({ x, y }) => (
                  <path key={x} className={classes.dot} d={`M${toX(x)} ${toY(y)}h0`} />
                ))}
            </g>
          ))}
          <line className={classes.cursor} x1={toX(looked)} x2={toX(looked)} y2={height} />
        </svg>
      </div>
      <input
        type="range"
        className={classes.slider}
        aria-label={`Step of ${label.toLowerCase()}`}
        min={box.left}
        max={box.right}
        value={chosen ?? box.right}
        onChange={({ currentTarget }) => onChoose(Number(currentTarget.value))}
      />
    </figure>
  );
}

interface Box {
  left: number;
  right: number;
  low: number;
  high: number;
}

/** The box around all curves; `null` without points. Starts at zero unless that flattens them. */
function boxOf(curves: readonly Curve[]): Box | null {
  const box = curves
    .flatMap(({ points }) => points)
    .reduce<Box | null>(
      (before, { x, y }) => ({
        left: Math.min(before?.left ?? x, x),
        right: Math.max(before?.right ?? x, x),
        low: Math.min(before?.low ?? y, y),
        high: Math.max(before?.high ?? y, y),
      }),
      null,
    );
  if (box === null) return null;
  const room = (box.high - box.low) * 0.05 || Math.abs(box.high) * 0.05 || 1;
  const low = box.low >= 0 && box.low < box.high * 0.6 ? 0 : box.low - room;
  return { ...box, low, high: box.high + room };
}

/** The last point at or before `x`. */
function pointAt(points: readonly Point[], x: number): Point | undefined {
  return points.findLast((point) => point.x <= x);
}
