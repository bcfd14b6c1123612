import classes from "@/features/tape-editor/cards/cards.module.css";
import { dollars } from "@/lib/money";
import type { NodeRun } from "@/features/tape-editor/editor";
import { MODELS_WORKED } from "@/lib/durations";
import { formatCost, formatSeconds, formatTokens } from "@/lib/format";
import { visibleText } from "@/lib/visibleText";

/** What one run of a node cost and how long it took; its steps follow below. */
export function NodeRunHeader({ run }: { run: NodeRun }) {
  const name = [run.agent, run.node].filter((part) => part !== "").join(".");
  return (
    <div className={`ts-row ts-hint ${classes.run}`}>
      <span className={`ts-truncate ${classes.runName}`} title={name}>
        {visibleText(name)}
      </span>
      <span className={classes.runNumbers}>
        {run.inputTokens !== null && <span>Prompt {formatTokens(run.inputTokens)} tokens</span>}
        {run.outputTokens !== null && (
          <span>Completion {formatTokens(run.outputTokens)} tokens</span>
        )}
        {run.costMicroUsd !== null && (
          <span>
            {run.isCostPartial && "at least "}
            {formatCost(dollars(run.costMicroUsd))}
          </span>
        )}
        {run.durationSeconds !== null && (
          <span title={MODELS_WORKED}>worked {formatSeconds(run.durationSeconds)}</span>
        )}
      </span>
    </div>
  );
}
