/** How often runs from each step pass: where the curve falls, a step lost it. */
import type { Experiment } from "@/api/types";
import classes from "@/features/tape-editor/run-n/panel.module.css";
import { intervalWords, percent } from "@/features/tape-editor/run-n/rates";

type CurvePoint = Experiment["summary"]["curve"][number];

const WIDTH = 420;
const HEIGHT = 120;
const LEFT = 36;
const BOTTOM = 18;
const TOP = 6;
const MOST_TICKS = 12;

export function ValueCurve({ points }: { points: readonly CurvePoint[] }) {
  const known = points.flatMap(({ kept_count: kept, group }) =>
    group.pass_rate === null ? [] : [{ step: kept - 1, rate: group.pass_rate }],
  );
  const steps = points.map(({ kept_count: kept }) => kept - 1);
  const [first, last] = [Math.min(...steps), Math.max(...steps)];
  const x = (step: number) =>
    LEFT + ((step - first) / Math.max(1, last - first)) * (WIDTH - LEFT - 10);
  const y = (rate: number) => TOP + (1 - rate) * (HEIGHT - TOP - BOTTOM);
  const line = known.map(({ step, rate }) => `${x(step)},${y(rate.value)}`).join(" ");
  const everyTick = Math.ceil(steps.length / MOST_TICKS);
  return (
    <svg
      className={classes.curve}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label={`Pass rate by the last step kept: ${describe(known)}`}
    >
      {[0, 0.5, 1].map((rate) => (
        <g key={rate}>
          <line className={classes.grid} x1={LEFT} x2={WIDTH - 4} y1={y(rate)} y2={y(rate)} />
          <text className={classes.axis} x={LEFT - 6} y={y(rate) + 3} textAnchor="end">
            {percent(rate)}
          </text>
        </g>
      ))}
      {steps
        .filter((_, index) => index % everyTick === 0)
        .map((step) => (
          <text key={step} className={classes.axis} x={x(step)} y={HEIGHT - 4} textAnchor="middle">
            {step}
          </text>
        ))}
      <polyline className={classes.curveLine} points={line} />
      {known.map(({ step, rate }) => (
        <g key={step}>
          <title>{`Kept through step ${step}: ${percent(rate.value)} of ${rate.count} pass (${intervalWords(rate)})`}</title>
          <line
            className={classes.curveWhisker}
            x1={x(step)}
            x2={x(step)}
            y1={y(rate.low)}
            y2={y(rate.high)}
          />
          <circle className={classes.curvePoint} cx={x(step)} cy={y(rate.value)} r={3} />
        </g>
      ))}
    </svg>
  );
}

function describe(known: readonly { step: number; rate: { value: number } }[]): string {
  if (known.length === 0) return "not judged yet";
  return known.map(({ step, rate }) => `step ${step} ${percent(rate.value)}`).join(", ");
}
