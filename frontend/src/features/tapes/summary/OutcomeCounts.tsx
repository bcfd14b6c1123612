import type { TapeSummary } from "@/api/types";
import classes from "@/features/tapes/summary/summary.module.css";
import { formatExact, formatRate } from "@/lib/format";
import { RateBar } from "@/ui/RateBar";

const WORDS = { pass: "Passed", fail: "Failed", none: "Not judged" };

interface OutcomeCountsProps {
  summary: TapeSummary;
  /** How many tapes the summary covers. */
  note: string;
  onQuery: (query: string) => void;
}

/** How many passed and failed, with the rate and its 95 % interval. */
export function OutcomeCounts({ summary, note, onQuery }: OutcomeCountsProps) {
  const { outcomes, pass_rate: rate, error_tape_count: errors } = summary;
  return (
    <div className={classes.part}>
      <h2 className={classes.title}>Outcome</h2>
      <p className={`ts-hint ${classes.note}`}>{note}</p>
      {rate !== null && (
        <p
          className={`ts-row ${classes.rate}`}
          title="Pass rate of the judged tapes, 95 % interval"
        >
          <RateBar rate={rate} />
          <span className="ts-number">{formatRate(rate)} pass</span>
        </p>
      )}
      <div className={classes.outcomes}>
        {outcomes.map(({ value, count, is_on, query }) => (
          <button
            key={value}
            type="button"
            className={classes.outcome}
            data-outcome={value}
            aria-pressed={is_on}
            disabled={count === 0 && !is_on}
            onClick={() => onQuery(query)}
          >
            {WORDS[value]} <strong className="ts-number">{formatExact(count)}</strong>
          </button>
        ))}
      </div>
      <p className={`ts-hint ${classes.note}`}>{formatExact(errors)} with an error</p>
    </div>
  );
}
