/** The curves of a run; choosing a step shows its worst examples and the answers at that point. */
import { useMemo } from "react";

import type { Generation, TrainingLog } from "@/api/trainingEvents";
import classes from "@/features/training/training.module.css";
import { WorstExamples } from "@/features/training/WorstExamples";
import { formatExact, formatScore } from "@/lib/format";
import { useAddress } from "@/lib/useAddress";
import { visibleText } from "@/lib/visibleText";
import { LineChart } from "@/ui/LineChart";

const formatRate = (rate: number) => String(Number(rate.toPrecision(3)));
const formatShare = (share: number) => `${Math.round(share * 100)} %`;
const formatSpeed = (speed: number) => `${formatExact(Math.round(speed))}/s`;

export function Course({ log, setId }: { log: TrainingLog; setId: string }) {
  const [address, change] = useAddress();
  const asked = Number(address.get("step"));
  const chosen = log.steps.some(({ step }) => step === asked) ? asked : null;
  const onChoose = (step: number) => change({ step: String(step) }, { replace: true });
  const curves = useMemo(() => curvesOf(log), [log]);
  const looked = log.steps.find(({ step }) => step === chosen) ?? log.steps.at(-1);
  const common = { chosen, onChoose };
  return (
    <>
      <section className="ts-section" aria-label="Curves">
        <LineChart label="Loss" curves={curves.loss} format={formatScore} {...common} />
        <div className={classes.charts}>
          <LineChart
            label="Tokens per second"
            curves={curves.speed}
            format={formatSpeed}
            height={80}
            {...common}
          />
          <LineChart
            label="Learning rate"
            curves={curves.rate}
            format={formatRate}
            height={80}
            {...common}
          />
          {curves.right.length > 0 && (
            <LineChart
              label="Held-out answers right"
              curves={[{ name: "Share", points: curves.right, isSparse: true }]}
              format={formatShare}
              height={80}
              {...common}
            />
          )}
        </div>
      </section>
      {looked !== undefined && <WorstExamples step={looked} setId={setId} />}
      <Generations generations={log.generations} upTo={chosen} />
    </>
  );
}

function curvesOf({ steps, evaluations }: TrainingLog) {
  const heldOut = evaluations.map(({ step, loss }) => ({ x: step, y: loss }));
  return {
    loss: [
      { name: "Loss", points: steps.map(({ step, loss }) => ({ x: step, y: loss })) },
      ...(heldOut.length > 0 ? [{ name: "Held out", points: heldOut, isSparse: true }] : []),
    ],
    speed: [
      {
        name: "Tokens",
        points: steps.map(({ step, tokens_per_second: y }) => ({ x: step, y })),
      },
    ],
    right: evaluations.flatMap(({ step, answers_right: y }) =>
      y === null ? [] : [{ x: step, y }],
    ),
    rate: [{ name: "Rate", points: steps.map(({ step, learning_rate: y }) => ({ x: step, y })) }],
  };
}

interface GenerationsProps {
  generations: readonly Generation[];
  /** The chosen step; the answers of the last evaluation up to it are shown. */
  upTo: number | null;
}

function Generations({ generations, upTo }: GenerationsProps) {
  const steps = [...new Set(generations.map(({ step }) => step))];
  const shown = steps.findLast((step) => upTo === null || step <= upTo) ?? steps[0];
  if (shown === undefined) return null;
  return (
    <section className="ts-section" aria-labelledby="generations">
      <h2 id="generations" className={classes.sectionTitle}>
        Answers after step {shown}
      </h2>
      {generations
        .filter(({ step }) => step === shown)
        .map(({ id, prompt, expected, answer }) => (
          <article key={id} className={classes.answers}>
            <Text name="Prompt" text={prompt} />
            <Text name="Expected" text={expected} />
            <Text name="Answer" text={answer} />
          </article>
        ))}
    </section>
  );
}

const SHOWN_CHARACTERS = 600;

/** Shows the end of a long text, which is the part that is answered. */
function Text({ name, text }: { name: string; text: string }) {
  const cut = text.length > SHOWN_CHARACTERS ? `…${text.slice(-SHOWN_CHARACTERS)}` : text;
  return (
    <div>
      <div className="ts-hint">{name}</div>
      <div className="ts-mono ts-words">{visibleText(cut)}</div>
    </div>
  );
}
