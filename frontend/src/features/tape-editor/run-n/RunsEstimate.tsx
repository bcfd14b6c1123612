import { useQueries } from "@tanstack/react-query";

import type { Estimate } from "@/api/types";
import { useTapeModel } from "@/features/tape-editor/editor";
import { estimateQuery, type RunSetup } from "@/features/tape-editor/run";
import { AS_AGENT } from "@/features/tape-editor/choice";
import { countRuns, type Plan } from "@/features/tape-editor/run-n/plan";
import { estimateRuns } from "@/features/tape-editor/run-n/estimateRuns";

/** What all runs together will probably take: each model's estimate times its number of runs. */
export function RunsEstimate({ plan, setup }: { plan: Plan; setup: RunSetup }) {
  const { tape, outline } = useTapeModel();
  const { question } = setup;
  const found = useQueries({
    queries: plan.modelIds.map((id) => ({
      ...estimateQuery(
        tape.id,
        { ...question, model_id: id === AS_AGENT ? null : id },
        outline.length,
      ),
      enabled: question.agent_version_id !== "",
    })),
  });
  const estimates = found.map(({ data }) => data);
  if (estimates.length === 0 || !estimates.every(isKnown)) return null;
  return (
    <span className="ts-dimmed" title={estimates.map(({ basis }) => basis).join(" ")}>
      {estimateRuns(estimates, countRuns(plan))}
    </span>
  );
}

function isKnown(estimate: Estimate | undefined): estimate is Estimate {
  return estimate !== undefined;
}
