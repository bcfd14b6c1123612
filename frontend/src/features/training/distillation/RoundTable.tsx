/** The rounds of a distillation: who drove, what was labelled, what was learnt. */
import { Link } from "react-router";

import type { Distillation } from "@/api/types";
import classes from "@/features/training/training.module.css";
import { countOf, formatCostSum } from "@/lib/format";
import { visibleText } from "@/lib/visibleText";

type Round = Distillation["rounds"][number];

export function RoundTable({ distillation }: { distillation: Distillation }) {
  const { rounds } = distillation;
  if (rounds.length === 0) {
    return <p className="ts-dimmed ts-section">Its first round has not started yet.</p>;
  }
  return (
    <ol className={classes.rounds} aria-label="Rounds">
      {rounds.map((round) => (
        <RoundRow key={round.number} round={round} />
      ))}
    </ol>
  );
}

function RoundRow({ round }: { round: Round }) {
  const { number, batches, labels } = round;
  return (
    <li className={classes.round}>
      <h3>Round {number}</h3>
      <dl>
        <dt>Run</dt>
        <dd>
          {batches.length === 0 ? (
            <NotYet />
          ) : (
            <span className={classes.links}>
              {batches.map(({ id, name, driver }) => (
                <span key={id}>
                  <Link to={`/tapes?batch=${id}`}>{visibleText(name)}</Link>{" "}
                  <span className="ts-dimmed">by the {driver}</span>
                </span>
              ))}
            </span>
          )}
        </dd>
        <dt>Labeled</dt>
        <dd className="ts-number">
          {labels === 0 ? <NotYet /> : `${countOf(labels, "label")}, ${costOf(round)}`}
        </dd>
        <dt>Set</dt>
        <dd>
          {round.training_set_id === null ? (
            <NotYet />
          ) : (
            <Link to={`/training/sets/${round.training_set_id}`}>Training set</Link>
          )}
        </dd>
        <dt>Trained</dt>
        <dd>
          {round.finetune_id === null ? (
            <NotYet />
          ) : (
            <Link to={`/training/${round.finetune_id}`}>
              {round.adapter_id === null ? "Finetune, in progress" : "Finetune"}
            </Link>
          )}
        </dd>
      </dl>
    </li>
  );
}

const NotYet = () => <span className="ts-dimmed">Not yet</span>;

/** The cost of the teacher's labels; free ones cost zero, which is a known price. */
function costOf({ labels, micro_usd: money, unpriced_labels: unpriced }: Round): string {
  if (unpriced >= labels) return "cost unknown";
  return formatCostSum({
    cost_micro_usd: money,
    llm_call_count: labels,
    unpriced_call_count: unpriced,
  });
}
