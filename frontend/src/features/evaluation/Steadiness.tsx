/** Whether the score of each variant depends on the tasks or on the luck of the attempts. */
import type { SweepReport } from "@/api/types";
import classes from "@/features/evaluation/evaluation.module.css";
import { formatRate } from "@/lib/format";
import { visibleText } from "@/lib/visibleText";

export function Steadiness({ variants }: { variants: SweepReport["variants"] }) {
  const steady = variants.flatMap(({ variant, steadiness, vote }) =>
    steadiness === null ? [] : [{ letter: variant.letter, ...steadiness, hasVote: vote !== null }],
  );
  if (steady.length === 0) return null;
  return (
    <section className="ts-section" aria-label="Where the variance comes from">
      <h2 className={classes.heading}>Where the variance comes from</h2>
      <ul className={classes.reasons}>
        {steady.map(({ letter, sentence, majority, hasVote }) => (
          <li key={letter}>
            <span className={classes.letter}>{letter}</span> {visibleText(sentence)}
            {majority !== null &&
              !hasVote &&
              ` By majority of its attempts ${formatRate(majority.estimate)}.`}
          </li>
        ))}
      </ul>
    </section>
  );
}
