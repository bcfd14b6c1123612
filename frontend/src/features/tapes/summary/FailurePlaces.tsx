import type { FailurePlace } from "@/api/types";
import classes from "@/features/tapes/summary/summary.module.css";
import { countOf, formatExact } from "@/lib/format";
import { visibleText } from "@/lib/visibleText";

interface FailurePlacesProps {
  title: string;
  places: readonly FailurePlace[];
  onQuery: (query: string) => void;
}

/** Where steps report errors, with the number of tapes: most frequent first. */
export function FailurePlaces({ title, places, onQuery }: FailurePlacesProps) {
  const most = Math.max(1, ...places.map(({ tape_count }) => tape_count));
  return (
    <div className={classes.part}>
      <h2 className={classes.title}>{title}</h2>
      {places.length === 0 && <p className={`ts-hint ${classes.note}`}>None</p>}
      <ul>
        {places.map(({ name, tape_count: tapes, step_count: steps, is_on, query }) => (
          <li key={name}>
            <button
              type="button"
              className={classes.place}
              aria-pressed={is_on}
              title={`${countOf(steps, "step")} of ${countOf(tapes, "tape")}`}
              onClick={() => onQuery(query)}
            >
              <span className={classes.placeBar} style={{ width: `${(tapes / most) * 100}%` }} />
              <span className={`ts-truncate ${classes.placeName}`}>
                {name === "" ? "In no node" : visibleText(name)}
              </span>
              <span className="ts-number">{formatExact(tapes)}</span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
