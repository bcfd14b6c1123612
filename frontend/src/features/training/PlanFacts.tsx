import type { ReactNode } from "react";

import type { TrainingLog, TrainingPlan } from "@/api/trainingEvents";
import classes from "@/features/training/training.module.css";
import { formatBytes, formatExact, formatSeconds, formatTokens } from "@/lib/format";
import { visibleText } from "@/lib/visibleText";

/** The expected cost of a run, and the measured cost. */
export function PlanFacts({ plan, log }: { plan: TrainingPlan; log: TrainingLog }) {
  const { measured } = log;
  return (
    <section className="ts-section" aria-labelledby="plan">
      <h2 id="plan" className={classes.sectionTitle}>
        Plan
      </h2>
      <dl className={classes.facts}>
        <Fact name="Examples">
          {formatExact(plan.examples)}
          {plan.left_out > 0 && `, ${formatExact(plan.left_out)} left out`}
        </Fact>
        <Fact name="Held out">{formatExact(plan.evaluation_examples)}</Fact>
        <Fact name="Tokens per epoch">
          {formatTokens(plan.tokens_per_epoch)}, {formatTokens(plan.trained_tokens_per_epoch)}{" "}
          trained
        </Fact>
        <Fact name="Longest example">{formatTokens(plan.longest)} tokens</Fact>
        <Fact name="Steps">{formatExact(plan.steps)}</Fact>
        <Fact name="Parameters">
          {formatTokens(plan.parameters)}, {formatTokens(plan.trainable)} trained
        </Fact>
        <Fact name="Memory">
          {formatBytes(plan.expected_memory)} expected
          {measured !== null && `, ${formatBytes(measured.memory)} measured`}
        </Fact>
        <Fact name="Time">
          {formatSeconds(plan.expected_seconds)} expected
          {measured !== null && `, ${formatSeconds(measured.seconds)} measured`}
        </Fact>
      </dl>
      {plan.notes.length > 0 && (
        <ul aria-label="Not learnt" className="ts-dimmed">
          {plan.notes.map((note) => (
            <li key={note}>{visibleText(note)}</li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
