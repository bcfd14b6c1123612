/** How long the tape is and what it cost; updated during its run. */
import { useMemo } from "react";

import { useTapeModel } from "@/features/tape-editor/editor";
import classes from "@/features/tape-editor/header/header.module.css";
import { sumTape, type TapeSums } from "@/features/tape-editor/header/totals";
import { MODELS_WORKED } from "@/lib/durations";
import { countOf, formatCost, formatExact, formatSeconds, formatTokens } from "@/lib/format";
import { dollars } from "@/lib/money";

export function TapeTotals() {
  const { tape, outline, recordedCount } = useTapeModel();
  const sums = useMemo(() => sumTape(tape, outline, recordedCount), [tape, outline, recordedCount]);
  return (
    <div className={`ts-hint ${classes.totals}`}>
      <span>{countOf(outline.length, "step")}</span>
      {sums !== undefined && sums.callCount > 0 && <Calls sums={sums} />}
    </div>
  );
}

function Calls({ sums }: { sums: TapeSums }) {
  const { callCount, inputTokens, cachedTokens, outputTokens, workedSeconds } = sums;
  const tokens = [
    countOf(callCount, "LLM call"),
    `${formatExact(inputTokens)} tokens in (${formatExact(cachedTokens)} cached)`,
    `${formatExact(outputTokens)} tokens out`,
  ].join(", ");
  return (
    <>
      <span className="ts-number" title={tokens}>
        {formatTokens(inputTokens + outputTokens)} tokens
      </span>
      <span className="ts-number" title={costHint(sums)}>
        {costText(sums)}
      </span>
      {workedSeconds > 0 && (
        <span className="ts-number" title={MODELS_WORKED}>
          worked {formatSeconds(workedSeconds)}
        </span>
      )}
    </>
  );
}

export function costText({ costMicroUsd, isCostPartial }: TapeSums): string {
  if (costMicroUsd === null) return "cost unknown";
  const cost = formatCost(dollars(costMicroUsd));
  return isCostPartial ? `at least ${cost}` : cost;
}

function costHint({ costMicroUsd, isCostPartial }: TapeSums): string {
  if (costMicroUsd === null) return "No price is known for its model";
  const cost = `$${dollars(costMicroUsd)}`;
  return isCostPartial ? `${cost}, without the calls whose price is not known` : cost;
}
