/** How many labels would narrow a corrected score, and a queue that asks for them.
 *
 * A queue may also contain attempts on which two scorers disagree, because one of the two is wrong.
 */
import { Button, NumberInput, Select, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";

import { describeError } from "@/api/client";
import { disagreementsQuery, useAskForLabels } from "@/api/sweeps";
import type { BenchReport, Disagreement } from "@/api/types";
import classes from "@/features/evaluation/evaluation.module.css";
import { countOf, formatExact } from "@/lib/format";
import { numberOf, type Typed } from "@/lib/typed";
import { visibleText } from "@/lib/visibleText";

const FIRST_COUNT = 40;
const MOST = 500;
const BY_CHANCE = "";

interface AskForLabelsProps {
  jobId: string;
  scoringId: string;
  report: BenchReport;
  /** The half width of the interval, in points. */
  points: number;
  onPoints: (points: number) => void;
}

export function AskForLabels({ jobId, scoringId, report, points, onPoints }: AskForLabelsProps) {
  const ask = useAskForLabels(jobId, scoringId);
  const [name, setName] = useState("Labels for the judge");
  const [typed, setTyped] = useState<Typed>("");
  const [disagreement, setDisagreement] = useState(BY_CHANCE);
  const found = useQuery(disagreementsQuery(jobId, scoringId));
  const disagreements = found.data ?? [];
  const chosen = disagreements.find(({ key }) => key === disagreement);
  const count = numberOf(typed) ?? suggestedCount(report, chosen);
  return (
    <section className="ts-section ts-stack" aria-labelledby="labels">
      <h2 id="labels">More labels</h2>
      <div className={`ts-row ${classes.runBar} ${classes.labelled}`}>
        <NumberInput
          label="Target margin of error, in points"
          min={1}
          max={50}
          allowDecimal={false}
          w={220}
          value={points}
          onChange={(value) => onPoints(numberOf(value) ?? points)}
        />
        <p aria-live="polite" className="ts-number">
          {describeNeeded(report)}
        </p>
      </div>
      <form
        noValidate
        aria-label="More labels"
        className={`ts-row ${classes.runBar} ${classes.labelled}`}
        onSubmit={(event) => {
          event.preventDefault();
          if (name.trim() !== "") {
            ask.mutate({ name: name.trim(), count, disagreement: chosen?.key ?? BY_CHANCE });
          }
        }}
      >
        <TextInput
          label="Queue"
          w={280}
          maxLength={200}
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <Select
          label="Which"
          allowDeselect={false}
          w={340}
          data={choices(disagreements)}
          value={chosen?.key ?? BY_CHANCE}
          onChange={(key) => setDisagreement(key ?? BY_CHANCE)}
        />
        <NumberInput
          label="Attempts"
          min={1}
          max={MOST}
          allowDecimal={false}
          w={120}
          value={count}
          onChange={setTyped}
        />
        <Button type="submit" disabled={name.trim() === ""} loading={ask.isPending}>
          Ask people
        </Button>
        {ask.data !== undefined && (
          <p role="status">
            <Link to={`/queues/${ask.data.id}`}>Open the queue</Link>
          </p>
        )}
      </form>
      {found.isError && (
        <p role="alert">The disagreements could not be loaded. {describeError(found.error)}</p>
      )}
      {ask.isError && <p role="alert">{describeError(ask.error)}</p>}
      <p className="ts-hint">
        {chosen === undefined
          ? "They are drawn at random from those without a label; every task comes once before any comes twice."
          : "These are not drawn at random, so people answer under “Second opinion”, and no judge is measured or corrected by those answers."}{" "}
        The answers leave the outcomes of the runs as they are. If there is a queue of that name,
        the attempts are added to it.
      </p>
    </section>
  );
}

/** What to ask about: at random from the start, so that nothing moves when disagreements arrive. */
function choices(disagreements: Disagreement[]) {
  const byChance = { value: BY_CHANCE, label: "At random, from those without a label" };
  if (disagreements.length === 0) return [byChance];
  const items = disagreements.map(({ key, words, attempt_count }) => ({
    value: key,
    label: `${visibleText(words)} ${countOf(attempt_count, "attempt")}`,
  }));
  return [byChance, { group: "Disagreements", items }];
}

/** All attempts of a disagreement, or as many as are missing, or a few if that is unknown. */
function suggestedCount({ needed }: BenchReport, chosen: Disagreement | undefined): number {
  if (chosen !== undefined) return Math.min(MOST, chosen.attempt_count);
  const wanted = needed?.with_judge ?? null;
  if (needed === null || wanted === null) return FIRST_COUNT;
  return Math.min(MOST, Math.max(1, wanted - needed.labels_now));
}

function describeNeeded({ needed }: BenchReport): string {
  if (needed === null) return "Shown once there is a corrected score.";
  const { with_judge: together, without_judge: alone, labels_now: now } = needed;
  const withJudge =
    together === null
      ? "Not reached even with every attempt labeled"
      : together <= now
        ? "Already that narrow"
        : `It takes ${formatExact(together)} labels`;
  const without = alone === null ? "" : `; without the judge ${formatExact(alone)}`;
  return `${withJudge}${without}. There are ${formatExact(now)}.`;
}
