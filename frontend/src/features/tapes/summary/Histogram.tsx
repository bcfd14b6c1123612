import type { Spread } from "@/api/types";
import classes from "@/features/tapes/summary/summary.module.css";
import { countOf } from "@/lib/format";

interface HistogramProps {
  title: string;
  /** `null` if no tape has a value. */
  spread: Spread | null;
  format: (value: number) => string;
  /** For integer counts: a bar ends one before the next begins. */
  isWhole?: boolean;
  onQuery: (query: string) => void;
}

/** The distribution of a number. Its bars are buttons, so that the keyboard reaches each. */
export function Histogram(props: HistogramProps) {
  const { title, spread, format } = props;
  return (
    <div className={classes.part}>
      <h2 className={classes.title}>{title}</h2>
      {spread === null ? (
        <p className={`ts-hint ${classes.note}`}>No tape has LLM calls.</p>
      ) : (
        <>
          <p className={`ts-hint ${classes.note}`}>
            Median {format(spread.median)}, p90 {format(spread.p90)}
          </p>
          <Bars {...props} spread={spread} />
          <p className={`ts-hint ${classes.ends}`}>
            <span>{format(spread.low)}</span>
            <span>{format(spread.high)}</span>
          </p>
        </>
      )}
    </div>
  );
}

function Bars(props: HistogramProps & { spread: Spread }) {
  const { title, spread, format, isWhole = false, onQuery } = props;
  const most = Math.max(...spread.bins.map(({ count }) => count));
  return (
    <div className={classes.bars} role="group" aria-label={`${title} of the tapes`}>
      {spread.bins.map(({ low, high, count, query }, index) => {
        const end = isWhole && index + 1 < spread.bins.length ? high - 1 : high;
        const range = end === low ? format(low) : `${format(low)} to ${format(end)}`;
        const words = `${range}: ${countOf(count, "tape")}`;
        return (
          <button
            key={low}
            type="button"
            className={classes.bar}
            aria-label={words}
            title={words}
            disabled={count === 0}
            onClick={() => onQuery(query)}
          >
            <span style={{ height: `${(count / most) * 100}%` }} />
          </button>
        );
      })}
    </div>
  );
}
