/** Pass rates, how many pairs changed, and whether that may be chance. */
import type { BatchDiff, BatchTotals } from "@/api/types";
import classes from "@/features/batches/batches.module.css";
import { changeName, countChange, OUTCOMES, toneOf } from "@/features/batches/changes";
import { pointsBounds, pValueWords, signedPoints } from "@/features/batches/metrics";
import { OUTCOME_WORDS } from "@/lib/outcomes";
import { OutcomeMark } from "@/ui/OutcomeMark";
import { PlainTable } from "@/ui/PlainTable";
import { RateBar } from "@/ui/RateBar";
import { countOf, formatExact, formatRate } from "@/lib/format";
import { visibleText } from "@/lib/visibleText";

interface OutcomeSummaryProps {
  diff: BatchDiff;
  shown: string | null;
  onShow: (change: string | null) => void;
}

export function OutcomeSummary({ diff, shown, onShow }: OutcomeSummaryProps) {
  return (
    <section className="ts-section" aria-labelledby="batch-outcome">
      <h2 className={`ts-row ${classes.heading}`} id="batch-outcome">
        Outcome
      </h2>
      <div className={classes.columns}>
        <div className="ts-stack">
          <Sides diff={diff} />
          <Verdict diff={diff} />
        </div>
        <Transitions diff={diff} shown={shown} onShow={onShow} />
      </div>
    </section>
  );
}

function Sides({ diff: { left, right } }: { diff: BatchDiff }) {
  return (
    <PlainTable aria-label="Pass rates" fit="words">
      <thead>
        <tr>
          <th scope="col">Batch</th>
          <th scope="col" data-align="end">
            Tapes
          </th>
          <th scope="col">Pass rate, 95 % interval</th>
        </tr>
      </thead>
      <tbody>
        <Side word="Left" side={left} />
        <Side word="Right" side={right} />
      </tbody>
    </PlainTable>
  );
}

function Side({ word, side }: { word: string; side: BatchTotals }) {
  return (
    <tr>
      <th scope="row" title={visibleText(side.name)}>
        <span className="ts-dimmed">{word}</span> {visibleText(side.name)}
      </th>
      <td data-align="end">{formatExact(side.tape_count)}</td>
      <td>
        {side.pass_rate === null ? (
          <span className="ts-dimmed">Not judged</span>
        ) : (
          <span className={`ts-inline ${classes.rate}`}>
            <RateBar rate={side.pass_rate} /> {formatRate(side.pass_rate)}
          </span>
        )}
      </td>
    </tr>
  );
}

function Verdict({ diff: { pass_difference: difference, p_value: p } }: { diff: BatchDiff }) {
  if (difference === null || p === null) {
    return <p className={classes.note}>No pair has judged outcomes on both sides.</p>;
  }
  return (
    <p className={classes.note}>
      Over {countOf(difference.count, "pair")} judged on both sides the right pass rate differs by{" "}
      <strong>{signedPoints(difference.value)} points</strong> ({pointsBounds(difference)}), McNemar{" "}
      {pValueWords(p)}.
    </p>
  );
}

/** Rows are outcomes of the left tape, columns of the right; clicking a count lists its pairs. */
function Transitions({ diff, shown, onShow }: OutcomeSummaryProps) {
  return (
    <PlainTable aria-label="Outcome changes" fit="words">
      <thead>
        <tr>
          <th scope="col">Left, then right</th>
          {OUTCOMES.map((right) => (
            <th key={right} scope="col" data-align="end">
              {OUTCOME_WORDS[right]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {OUTCOMES.map((left) => (
          <tr key={left}>
            <th scope="row">
              <OutcomeMark outcome={left} word={OUTCOME_WORDS[left]} />
            </th>
            {OUTCOMES.map((right) => {
              const name = changeName(left, right);
              const count = countChange(diff, left, right);
              return (
                <td key={right} data-align="end">
                  <button
                    type="button"
                    className={classes.change}
                    data-tone={toneOf(left, right)}
                    disabled={count === 0}
                    aria-pressed={shown === name}
                    aria-label={`${OUTCOME_WORDS[left]}, then ${OUTCOME_WORDS[right].toLowerCase()}: ${count}`}
                    onClick={() => onShow(shown === name ? null : name)}
                  >
                    {count}
                  </button>
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </PlainTable>
  );
}
