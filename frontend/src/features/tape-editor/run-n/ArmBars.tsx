/** Pass rates of the arms as bars, each with its 95 % interval. */
import type { Experiment } from "@/api/types";
import { ARM_WORDS } from "@/features/tape-editor/run-n/branchTable";
import classes from "@/features/tape-editor/run-n/panel.module.css";
import { intervalWords, percent } from "@/features/tape-editor/run-n/rates";

type ArmSummary = Experiment["summary"]["arms"][number];

const WIDTH = 200;
const HEIGHT = 16;

export function ArmBars({ arms }: { arms: readonly ArmSummary[] }) {
  return (
    <ul className={classes.arms}>
      {arms.map(({ arm, group }) => (
        <li key={arm} className={classes.arm}>
          <span className={classes.armName}>{ARM_WORDS[arm]}</span>
          <Bar arm={arm} rate={group.pass_rate} />
          <span className={classes.armRate}>
            {group.pass_rate === null ? (
              <span className={classes.dim}>not judged yet</span>
            ) : (
              <>
                {group.passed} of {group.judged}
                <span className={classes.dim}> {intervalWords(group.pass_rate)}</span>
              </>
            )}
          </span>
        </li>
      ))}
    </ul>
  );
}

function Bar({ arm, rate }: { arm: ArmSummary["arm"]; rate: ArmSummary["group"]["pass_rate"] }) {
  const label =
    rate === null
      ? `${ARM_WORDS[arm]}: not judged yet`
      : `${ARM_WORDS[arm]}: ${percent(rate.value)} pass, between ${intervalWords(rate)}`;
  return (
    <svg
      className={classes.armBar}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <rect className={classes.track} width={WIDTH} height={HEIGHT} />
      {rate !== null && (
        <>
          <rect
            className={arm === "edited" ? classes.edited : classes.original}
            width={rate.value * WIDTH}
            height={HEIGHT}
          />
          <line
            className={classes.whisker}
            x1={rate.low * WIDTH}
            x2={rate.high * WIDTH}
            y1={HEIGHT / 2}
            y2={HEIGHT / 2}
          />
          {[rate.low, rate.high].map((end, index) => (
            <line
              key={index}
              className={classes.whisker}
              x1={end * WIDTH}
              x2={end * WIDTH}
              y1={4}
              y2={HEIGHT - 4}
            />
          ))}
        </>
      )}
    </svg>
  );
}
