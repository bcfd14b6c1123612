/** What the branches say together: the arms, the conditions, the value of each step, the price. */
import type { Experiment, Interval } from "@/api/types";
import { ArmBars } from "@/features/tape-editor/run-n/ArmBars";
import { ConditionTable } from "@/features/tape-editor/run-n/ConditionTable";
import classes from "@/features/tape-editor/run-n/panel.module.css";
import { budgetOf } from "@/features/tape-editor/run-n/plan";
import { percent, signedPoints, signedScore } from "@/features/tape-editor/run-n/rates";
import { ValueCurve } from "@/features/tape-editor/run-n/ValueCurve";
import { dollars } from "@/lib/money";
import { Cost, Duration, Tokens } from "@/ui/Quantities";

export function ExperimentSummary({ experiment }: { experiment: Experiment }) {
  const { summary } = experiment;
  return (
    <div className={classes.summary}>
      <section className={`ts-column ${classes.card}`} aria-labelledby="run-n-arms">
        <h3 id="run-n-arms" className={`ts-caption ${classes.heading}`}>
          Pass rates
        </h3>
        <ArmBars arms={summary.arms} />
        <Difference of="pass" difference={summary.difference} />
        <Difference of="score" difference={summary.score_difference} />
        {summary.difference !== null && summary.is_paired && (
          <p className={classes.dim}>Matched by model and temperature.</p>
        )}
      </section>
      {summary.curve.length > 0 && (
        <section className={`ts-column ${classes.card}`} aria-labelledby="run-n-curve">
          <h3 id="run-n-curve" className={`ts-caption ${classes.heading}`}>
            Value of each step
          </h3>
          <ValueCurve points={summary.curve} />
        </section>
      )}
      {summary.conditions.length > 1 && (
        <section className={`ts-column ${classes.card}`} aria-labelledby="run-n-conditions">
          <h3 id="run-n-conditions" className={`ts-caption ${classes.heading}`}>
            Models and temperatures, best first
          </h3>
          <ConditionTable conditions={summary.conditions} />
        </section>
      )}
      <section className={`ts-column ${classes.card}`} aria-labelledby="run-n-spent">
        <h3 id="run-n-spent" className={`ts-caption ${classes.heading}`}>
          Spent
        </h3>
        <Spent experiment={experiment} />
      </section>
    </div>
  );
}

interface DifferenceProps {
  of: "pass" | "score";
  difference: Interval | null;
}

const SAID = {
  pass: (value: number) => `${signedPoints(value)} points`,
  score: (value: number) => `${signedScore(value)} in score`,
};

/** How much better the edited arm is, and whether that may be chance. */
function Difference({ of, difference }: DifferenceProps) {
  if (difference === null) return null;
  const { value, low, high } = difference;
  const isClear = low > 0 || high < 0;
  const bound = of === "pass" ? signedPoints : signedScore;
  return (
    <p className={classes.claim}>
      With the edit <strong>{SAID[of](value)}</strong>
      <span className={classes.dim}>
        {" "}
        ({bound(low)} to {bound(high)}, 95 %)
      </span>
      {isClear ? "." : ": not significant."}
    </p>
  );
}

function Spent({ experiment }: { experiment: Experiment }) {
  const { spent } = experiment;
  const budget = budgetOf(experiment);
  return (
    <dl className={classes.facts}>
      <dt>Tokens</dt>
      <dd>
        <Tokens value={spent.tokens} />
        {budget.tokens !== null && (
          <span className={classes.dim}>
            {" "}
            of <Tokens value={budget.tokens} /> ({percent(spent.tokens / budget.tokens)})
          </span>
        )}
      </dd>
      <dt>Cost</dt>
      <dd>
        <Cost value={dollars(spent.micro_usd)} />
        {budget.microUsd !== null && (
          <span className={classes.dim}>
            {" "}
            of <Cost value={dollars(budget.microUsd)} />
          </span>
        )}
      </dd>
      {budget.seconds !== null && (
        <>
          <dt>Time limit</dt>
          <dd>
            <Duration value={budget.seconds} />
          </dd>
        </>
      )}
    </dl>
  );
}
