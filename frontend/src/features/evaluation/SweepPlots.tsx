/** Scores with their intervals, and costs; the table of variants has the same numbers. */
import type { SweepReport } from "@/api/types";
import { LEFT, percent, Plot, RateGrid, RIGHT, TICKS, WIDTH } from "@/ui/Plot";
import classes from "@/ui/Plot.module.css";
import { frontierOf, plotVariants, type PlottedVariant } from "@/features/evaluation/plots";
import { visibleText } from "@/lib/visibleText";

const ROW = 28;
const HEIGHT = 200;

export function SweepPlots({ report }: { report: SweepReport }) {
  const points = plotVariants(report.variants);
  if (points.length < 2) return null;
  const priced = points.filter(({ cost }) => cost !== null && cost > 0);
  return (
    <section className="ts-section" aria-label="Plots">
      <div className={classes.plots}>
        <ScorePlot points={points} />
        {priced.length > 1 && <CostPlot points={priced} />}
      </div>
    </section>
  );
}

const across = (share: number) => LEFT + share * (WIDTH - LEFT - RIGHT);

function ScorePlot({ points }: { points: readonly PlottedVariant[] }) {
  const height = ROW * points.length;
  const descriptions = points.map(
    ({ letter, score, low, high }) =>
      `${letter} ${percent(score)}, from ${percent(low)} to ${percent(high)}`,
  );
  return (
    <Plot title="Passed, with 95 % intervals" told={descriptions} height={height + 20}>
      {TICKS.map((tick) => (
        <g key={tick}>
          <line className={classes.grid} x1={across(tick)} x2={across(tick)} y2={height} />
          <text className={classes.tick} x={across(tick)} y={height + 14} textAnchor="middle">
            {percent(tick)}
          </text>
        </g>
      ))}
      {points.map(({ letter, label, score, low, high }, at) => {
        const y = ROW * (at + 0.5);
        return (
          <g key={letter}>
            <title>{`${letter} (${visibleText(label)}): ${percent(score)}`}</title>
            <text className={classes.letter} x={16} y={y + 4}>
              {letter}
            </text>
            <line className={classes.interval} x1={across(low)} x2={across(high)} y1={y} y2={y} />
            <circle className={classes.point} cx={across(score)} cy={y} r={4} />
          </g>
        );
      })}
    </Plot>
  );
}

function CostPlot({ points }: { points: readonly PlottedVariant[] }) {
  const most = Math.max(...points.map(({ cost }) => cost ?? 0));
  const toX = (cost: number) => across((cost / most) * 0.94);
  const toY = (score: number) => 8 + (1 - score) * (HEIGHT - 32);
  const frontier = frontierOf(points);
  const descriptions = points.map(
    ({ letter, score, cost, isFrontier }) =>
      `${letter} ${percent(score)} at ${dollars(cost ?? 0)} a run${isFrontier ? ", on the frontier" : ""}`,
  );
  return (
    <Plot
      title="Pass rate against cost per run; the line joins the variants that nothing cheaper beats"
      told={descriptions}
      height={HEIGHT}
    >
      <RateGrid toY={toY} />
      {[0, most / 2, most].map((cost) => (
        <text key={cost} className={classes.tick} x={toX(cost)} y={HEIGHT - 4} textAnchor="middle">
          {dollars(cost)}
        </text>
      ))}
      <polyline
        className={classes.frontier}
        points={frontier.map(({ cost, score }) => `${toX(cost)},${toY(score)}`).join(" ")}
      />
      {points.map(({ letter, label, score, low, high, cost, isFrontier }) => (
        <g key={letter} data-frontier={isFrontier || undefined}>
          <title>{`${letter} (${visibleText(label)}): ${percent(score)} at ${dollars(cost ?? 0)}`}</title>
          <line
            className={classes.interval}
            x1={toX(cost ?? 0)}
            x2={toX(cost ?? 0)}
            y1={toY(low)}
            y2={toY(high)}
          />
          <circle className={classes.point} cx={toX(cost ?? 0)} cy={toY(score)} r={4} />
          <text className={classes.letter} x={toX(cost ?? 0) + 8} y={toY(score) - 6}>
            {letter}
          </text>
        </g>
      ))}
    </Plot>
  );
}

/** Two significant digits, whatever a run costs. */
function dollars(cost: number): string {
  return cost === 0 ? "$0" : `$${Number(cost.toPrecision(2))}`;
}
