/** The frame of a plot of scores: its title, its size, and its content in words. */
import { useId, type ReactNode } from "react";

import classes from "@/ui/Plot.module.css";

export const WIDTH = 480;
export const LEFT = 40;
export const RIGHT = 28;
/** The shares that have a grid line. */
export const TICKS = [0, 0.25, 0.5, 0.75, 1];

export const percent = (share: number) => `${Math.round(100 * share)} %`;

interface PlotProps {
  title: string;
  /** The content in words, for screen readers; omitted if the points are self-explanatory links. */
  told?: readonly string[];
  height: number;
  children: ReactNode;
}

export function Plot({ title, told, height, children }: PlotProps) {
  const id = useId();
  return (
    <figure className={classes.plot} aria-labelledby={id}>
      <figcaption id={id}>
        <h3>{title}</h3>
      </figcaption>
      <svg
        className={classes.canvas}
        viewBox={`0 0 ${WIDTH} ${height}`}
        role={told === undefined ? "group" : "img"}
        aria-label={told === undefined ? title : `${title}: ${told.join("; ")}.`}
      >
        {children}
      </svg>
    </figure>
  );
}

/** Horizontal grid lines of a plot with rates on its vertical axis, each with its share. */
export function RateGrid({ toY }: { toY: (share: number) => number }) {
  return TICKS.map((tick) => (
    <g key={tick}>
      <line className={classes.grid} x1={LEFT} x2={WIDTH - RIGHT} y1={toY(tick)} y2={toY(tick)} />
      <text className={classes.tick} x={LEFT - 6} y={toY(tick) + 4} textAnchor="end">
        {percent(tick)}
      </text>
    </g>
  ));
}
