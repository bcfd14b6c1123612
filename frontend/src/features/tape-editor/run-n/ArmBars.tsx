/** Pass rates of the arms as bars, each with its 95 % interval. */
import type { Experiment } from "@/api/types";
import { shortWords } from "@/features/tape-editor/fixes";
import { armName } from "@/features/tape-editor/run-n/branchTable";
import classes from "@/features/tape-editor/run-n/panel.module.css";
import { visibleText } from "@/lib/visibleText";
import { intervalWords, percent } from "@/features/tape-editor/run-n/rates";

type ArmSummary = Experiment["summary"]["arms"][number];

const WIDTH = 200;
const HEIGHT = 16;

interface ArmBarsProps {
  arms: readonly ArmSummary[];
  /** What each edited arm changes. */
  words: Readonly<Record<string, string>>;
}

export function ArmBars({ arms, words }: ArmBarsProps) {
  return (
    <ul className={classes.arms}>
      {arms.map(({ arm, group }) => (
        <li key={arm} className={classes.arm}>
          <span className={`ts-truncate ${classes.armName}`} title={visibleText(words[arm] ?? "")}>
            {armName(arm)}
            {words[arm] !== undefined && (
              <span className={classes.dim}> {shortWords(visibleText(words[arm]))}</span>
            )}
          </span>
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
      ? `${armName(arm)}: not judged yet`
      : `${armName(arm)}: ${percent(rate.value)} pass, between ${intervalWords(rate)}`;
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
            className={arm === "original" ? classes.original : classes.edited}
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
