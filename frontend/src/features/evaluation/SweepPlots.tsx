/** The scores of a sweep's variants against what a run of each costs. */
import type { SweepReport } from "@/api/types";
import { CostPlot } from "@/ui/CostPlot";
import classes from "@/ui/Plot.module.css";

const MICRO = 1_000_000;

type Variant = SweepReport["variants"][number];

export function SweepPlots({ report }: { report: SweepReport }) {
  const points = report.variants.flatMap((one) => {
    const cost = costOf(one);
    if (one.score === null || cost === null) return [];
    const { value, low, high } = one.score.estimate;
    const { letter, label } = one.variant;
    return [{ name: letter, label: `${letter} (${label})`, score: value, low, high, cost }];
  });
  if (points.length < 2) return null;
  return (
    <section className="ts-section" aria-label="Plots">
      <div className={classes.plots}>
        <CostPlot title="Pass rate against cost per run" unit="a run" points={points} />
      </div>
    </section>
  );
}

/** Dollars per finished run; `null`: unknown, or nothing. A missing run may have cost some too. */
function costOf(one: Variant): number | null {
  const runs = one.passed_count + one.failed_count;
  if (runs === 0 || one.unpriced_call_count > 0 || one.cost_micro_usd === 0) return null;
  return one.cost_micro_usd / MICRO / runs;
}
