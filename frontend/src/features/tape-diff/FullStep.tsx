import { Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";

import { describeError } from "@/api/client";
import { stepsQuery } from "@/api/tapes";
import { useFullStep } from "@/api/useFullStep";
import type { StepData } from "@/api/types";
import classes from "@/features/tape-diff/diff.module.css";
import { partsOf } from "@/lib/stepParts";
import { CutNotice } from "@/ui/parts/CutNotice";
import { useFold } from "@/ui/parts/folds";
import { StepParts } from "@/ui/parts/StepParts";

interface FullStepProps {
  tapeId: string;
  position: number;
}

/** The full step, for a step that only one tape has. */
export function FullStep({ tapeId, position }: FullStepProps) {
  const page = useQuery({ ...stepsQuery(tapeId, position, 1), staleTime: Infinity });
  const step = page.data?.items[0];
  if (page.isPending) return <Skeleton height={48} aria-label="Loading the step" />;
  if (step === undefined) {
    return (
      <p className={classes.dim} role="alert">
        {page.isError ? describeError(page.error) : "This step no longer exists."}
      </p>
    );
  }
  return <Body tapeId={tapeId} step={step} />;
}

function Body({ tapeId, step }: { tapeId: string; step: StepData }) {
  const slot = `${tapeId}.${step.position}`;
  const [isOpen, onToggle] = useFold(`${slot}#whole`);
  const whole = useFullStep(tapeId, step, { isOpen, onShowAll: onToggle });
  const { body } = whole.step ?? step;
  const parts = useMemo(() => partsOf(body), [body]);
  return (
    <div className={`ts-stack ${classes.whole}`}>
      <StepParts slot={slot} parts={parts} />
      {whole.notice !== null && <CutNotice {...whole.notice} />}
    </div>
  );
}
