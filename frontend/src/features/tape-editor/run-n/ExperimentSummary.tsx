/** The results of all branches: by arm, by condition, the value of each step, the cost. */
import { Button } from "@mantine/core";
import { IconPin } from "@tabler/icons-react";
import { Fragment } from "react";

import type { Experiment, Interval } from "@/api/types";
import { ArmBars } from "@/features/tape-editor/run-n/ArmBars";
import { type Arm, armName } from "@/features/tape-editor/run-n/branchTable";
import { ConditionTable } from "@/features/tape-editor/run-n/ConditionTable";
import classes from "@/features/tape-editor/run-n/panel.module.css";
import { budgetOf } from "@/features/tape-editor/run-n/plan";
import { percent, signedPoints, signedScore } from "@/features/tape-editor/run-n/rates";
import { ValueCurve } from "@/features/tape-editor/run-n/ValueCurve";
import { dollars } from "@/lib/money";
import { visibleText } from "@/lib/visibleText";
import { Cost, Duration, Tokens } from "@/ui/Quantities";

interface ExperimentSummaryProps {
  experiment: Experiment;
  /** Keep the best branch of the best fix; null while there is no best fix. */
  keep: (() => void) | null;
}

export function ExperimentSummary({ experiment, keep }: ExperimentSummaryProps) {
  const { summary } = experiment;
  return (
    <div className={classes.summary}>
      {summary.finding !== "" && (
        <div className={classes.finding}>
          <p role="status">{visibleText(summary.finding)}</p>
          {keep !== null && (
            <Button
              variant="default"
              leftSection={<IconPin size={14} />}
              title="Pin its best branch, so that it stays in the branch map (w)"
              onClick={keep}
            >
              {summary.best === null ? "Keep the winner" : `Keep ${armName(summary.best)}`}
            </Button>
          )}
        </div>
      )}
      <section className={`ts-column ${classes.card}`} aria-labelledby="run-n-arms">
        <h3 id="run-n-arms" className={`ts-caption ${classes.heading}`}>
          Pass rates
        </h3>
        <ArmBars arms={summary.arms} words={experiment.row.arm_words} />
        {summary.arms.map(({ arm, difference, score_difference: ofScores }) => (
          <Fragment key={arm}>
            <Difference arm={arm} of="pass" difference={difference} />
            <Difference arm={arm} of="score" difference={ofScores} />
          </Fragment>
        ))}
        {summary.is_paired && <p className={classes.dim}>Matched by model and temperature.</p>}
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
  arm: Arm;
  of: "pass" | "score";
  difference: Interval | null;
}

const FORMATS = {
  pass: (value: number) => `${signedPoints(value)} points`,
  score: (value: number) => `${signedScore(value)} in score`,
};

/** How much better an edited arm is, and whether that may be chance. */
function Difference({ arm, of, difference }: DifferenceProps) {
  if (difference === null) return null;
  const { value, low, high } = difference;
  const isClear = low > 0 || high < 0;
  const bound = of === "pass" ? signedPoints : signedScore;
  return (
    <p className={classes.claim}>
      {arm === "edited" ? "With the edit" : armName(arm)} <strong>{FORMATS[of](value)}</strong>
      <span className={classes.dim}>
        {" "}
        ({bound(low)} to {bound(high)}, 95 %)
      </span>
      {isClear ? "." : ": not significant."}
    </p>
  );
}

function Spent({ experiment }: { experiment: Experiment }) {
  const { spent, branches } = experiment;
  const isKnown = branches.every(({ is_cost_known: isOne }) => isOne);
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
        {!isKnown && spent.micro_usd > 0 && "at least "}
        <Cost value={isKnown || spent.micro_usd > 0 ? dollars(spent.micro_usd) : null} />
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
