/** A read-only tape next to a rubric, at the step to judge or, for a whole tape, at its end. */
import { Anchor, Button } from "@mantine/core";
import { useQueries, useQuery } from "@tanstack/react-query";
import { IconExternalLink } from "@tabler/icons-react";
import { useEffect, useMemo, useRef, useState } from "react";
import { Link } from "react-router";

import { describeError } from "@/api/client";
import { stepsQuery, tapeQuery } from "@/api/tapes";
import { useFullStep } from "@/api/useFullStep";
import type { StepData } from "@/api/types";
import classes from "@/features/annotate/reader.module.css";
import { scrollToEnd } from "@/features/annotate/scrolling";
import { familyColour, visualFamily } from "@/lib/families";
import { countOf } from "@/lib/format";
import { partsOf } from "@/lib/stepParts";
import { visibleText } from "@/lib/visibleText";
import { FoldedText } from "@/ui/FoldedText";
import { CutNotice } from "@/ui/parts/CutNotice";
import { useFold } from "@/ui/parts/folds";
import { StepParts } from "@/ui/parts/StepParts";
import { ErrorState, RowsSkeleton } from "@/ui/States";
import { FamilyIcon } from "@/ui/StepKindBadge";

const PAGE = 50;

interface TapeReaderProps {
  tapeId: string;
  title: string;
  /** "Left" or "Right" of a pair. */
  side?: string;
  /** The step to judge. */
  position: number | null;
}

export function TapeReader({ tapeId, title, side, position }: TapeReaderProps) {
  const header = useQuery(tapeQuery(tapeId));
  const name = visibleText(title) || "Untitled tape";
  return (
    <section
      className={`ts-column ${classes.reader}`}
      aria-label={side === undefined ? "Tape" : `${side} tape`}
    >
      <header className={`ts-row ${classes.head}`}>
        {side !== undefined && <strong className={classes.side}>{side}</strong>}
        <Anchor
          component={Link}
          to={`/t/${tapeId}${position === null ? "" : `?step=${position}`}`}
          target="_blank"
          className={`ts-inline ${classes.title}`}
          title="Open the tape in a new window"
        >
          <span className="ts-truncate">{name}</span>
          <IconExternalLink size={13} stroke={1.75} aria-hidden="true" />
        </Anchor>
        {header.data !== undefined && (
          <span className="ts-number ts-dimmed">{countOf(header.data.step_count, "step")}</span>
        )}
      </header>
      {header.data !== undefined && (
        <Answers expected={header.data.expected} actual={header.data.actual} />
      )}
      {header.data !== undefined ? (
        <Steps
          key={`${tapeId} ${position ?? ""}`}
          tapeId={tapeId}
          stepCount={header.data.step_count}
          position={position}
        />
      ) : header.isError ? (
        <ErrorState
          title="The tape could not be loaded"
          message={describeError(header.error)}
          onRetry={() => void header.refetch()}
        />
      ) : (
        <RowsSkeleton label="Loading the tape" />
      )}
    </section>
  );
}

/** What is judged in the end, in sight wherever one reads. */
function Answers({ expected, actual }: { expected: string; actual: string }) {
  const facts = [
    { name: "Expected", text: expected },
    { name: "Final answer", text: actual },
  ].filter(({ text }) => text !== "");
  if (facts.length === 0) return null;
  return (
    <dl className={`ts-scroll ${classes.answers}`}>
      {facts.map(({ name, text }) => (
        <Answer key={name} name={name} text={text} />
      ))}
    </dl>
  );
}

function Answer({ name, text }: { name: string; text: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <div className={classes.answer}>
      <dt>{name}</dt>
      <dd>
        <FoldedText text={text} isOpen={isOpen} onToggle={() => setOpen(!isOpen)} />
      </dd>
    </div>
  );
}

interface StepsProps {
  tapeId: string;
  stepCount: number;
  position: number | null;
}

function Steps({ tapeId, stepCount, position }: StepsProps) {
  const [pages, setPages] = useState(() => {
    const page = Math.floor((position ?? Math.max(0, stepCount - 1)) / PAGE);
    return { first: page, last: page };
  });
  const numbers = Array.from({ length: pages.last - pages.first + 1 }, (_, at) => pages.first + at);
  const found = useQueries({
    queries: numbers.map((page) => ({
      ...stepsQuery(tapeId, page * PAGE, PAGE),
      staleTime: Infinity,
    })),
  });
  const list = useRef<HTMLDivElement>(null);
  const hasSteps = found.some(({ data }) => data !== undefined);
  useEffect(() => {
    if (hasSteps && position === null) scrollToEnd(list.current);
  }, [hasSteps, position]);
  const failed = found.find(({ isError }) => isError);
  const steps = found.flatMap(({ data }) => data?.items ?? []);
  if (failed !== undefined) {
    return (
      <ErrorState
        title="The steps could not be loaded"
        message={describeError(failed.error)}
        onRetry={() => void failed.refetch()}
      />
    );
  }
  if (steps.length === 0 && stepCount > 0) return <RowsSkeleton label="Loading the steps" />;
  return (
    <div className={`ts-stack ts-scroll ${classes.steps}`} ref={list} data-steps>
      {pages.first > 0 && (
        <Button
          variant="default"
          onClick={() => setPages({ ...pages, first: pages.first - 1 })}
          className={classes.more}
        >
          Earlier steps
        </Button>
      )}
      {stepCount === 0 && <p className="ts-dimmed">This tape has no steps.</p>}
      {steps.map((step) => (
        <ReadCard
          key={step.position}
          tapeId={tapeId}
          step={step}
          isMeant={step.position === position}
        />
      ))}
      {(pages.last + 1) * PAGE < stepCount && (
        <Button
          variant="default"
          onClick={() => setPages({ ...pages, last: pages.last + 1 })}
          className={classes.more}
        >
          Later steps ({stepCount - (pages.last + 1) * PAGE} left)
        </Button>
      )}
    </div>
  );
}

interface ReadCardProps {
  tapeId: string;
  step: StepData;
  isMeant: boolean;
}

function ReadCard({ tapeId, step, isMeant }: ReadCardProps) {
  const slot = `${tapeId}.${step.position}`;
  const [isOpen, onShowAll] = useFold(`${slot}#whole`);
  const whole = useFullStep(tapeId, step, { isOpen, onShowAll });
  const { body } = whole.step ?? step;
  const card = useRef<HTMLElement>(null);
  const family = visualFamily(step.kind, step.family, step.is_error);
  const parts = useMemo(() => partsOf(body), [body]);
  useEffect(() => {
    if (isMeant) card.current?.scrollIntoView({ block: "center" });
  }, [isMeant]);
  return (
    <article
      ref={card}
      className={`ts-panel ${classes.card}`}
      style={{ borderLeftColor: familyColour(family) }}
      data-meant={isMeant || undefined}
      data-control={family === "control" || undefined}
      aria-label={`Step ${step.position}${isMeant ? ", the one to judge" : ""}`}
    >
      <header className={`ts-row ${classes.cardHead}`}>
        <FamilyIcon family={family} size={14} />
        <span className="ts-mono" style={{ color: familyColour(family) }}>
          {visibleText(step.kind)}
        </span>
        <span className="ts-truncate ts-hint">
          {visibleText([step.agent, step.node].filter((part) => part !== "").join(" · "))}
        </span>
        <span className={`ts-hint ${classes.number}`}>{step.position}</span>
      </header>
      <StepParts slot={slot} parts={parts} />
      {whole.notice !== null && <CutNotice {...whole.notice} />}
    </article>
  );
}
