/** The scores of an agent's versions on a suite, in order; a point opens its sweep. */
import { Link } from "react-router";

import type { PinnedSuite } from "@/api/types";
import { LEFT, Plot, RateGrid, RIGHT, WIDTH } from "@/ui/Plot";
import classes from "@/ui/Plot.module.css";
import { formatRate } from "@/lib/format";

const HEIGHT = 180;
const TOP = 8;
const BOTTOM = 24;

type Score = PinnedSuite["scores"][number];

export function LearningCurve({ scores }: { scores: readonly Score[] }) {
  const points = scores.flatMap(({ score, ...one }) =>
    score === null ? [] : [{ ...one, rate: score.estimate }],
  );
  if (points.length < 2) return null;
  const gap = (WIDTH - LEFT - RIGHT) / points.length;
  const toX = (at: number) => LEFT + gap * (at + 0.5);
  const toY = (share: number) => TOP + (1 - share) * (HEIGHT - TOP - BOTTOM);
  return (
    <Plot title="Passed by version, with 95 % intervals" height={HEIGHT}>
      <RateGrid toY={toY} />
      <polyline
        className={classes.frontier}
        points={points.map(({ rate }, at) => `${toX(at)},${toY(rate.value)}`).join(" ")}
      />
      {points.map(({ number, sweep_id: sweep, rate }, at) => {
        const words = `v${number}: ${formatRate(rate)}`;
        return (
          <Link key={number} to={`/evaluation/${sweep}`} aria-label={words}>
            <title>{words}</title>
            <line
              className={classes.interval}
              x1={toX(at)}
              x2={toX(at)}
              y1={toY(rate.low)}
              y2={toY(rate.high)}
            />
            <circle className={classes.point} cx={toX(at)} cy={toY(rate.value)} r={5} />
            <text className={classes.tick} x={toX(at)} y={HEIGHT - 6} textAnchor="middle">
              v{number}
            </text>
          </Link>
        );
      })}
    </Plot>
  );
}
