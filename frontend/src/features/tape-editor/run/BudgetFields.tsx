import { NumberInput } from "@mantine/core";

import classes from "@/features/tape-editor/run/options.module.css";
import type { BudgetChoice } from "@/features/tape-editor/choice";
import { numberOf } from "@/lib/typed";

interface BudgetFieldsProps {
  choice: BudgetChoice;
  change: (part: Partial<BudgetChoice>) => void;
  /** Why the limit in money cannot be kept. */
  moneyProblem?: string | undefined;
}

/** The hard limits of a run, or of all runs of an experiment together. */
export function BudgetFields({ choice, change, moneyProblem }: BudgetFieldsProps) {
  return (
    <div className={classes.row}>
      <NumberInput
        className={classes.number}
        label="Tokens"
        placeholder="no limit"
        thousandSeparator=","
        hideControls
        min={1}
        allowDecimal={false}
        value={choice.budgetTokens ?? ""}
        onChange={(value) => change({ budgetTokens: numberOf(value) })}
      />
      <NumberInput
        className={classes.number}
        label="Cost"
        placeholder="no limit"
        prefix="$"
        hideControls
        min={0}
        decimalScale={6}
        value={choice.budgetDollars ?? ""}
        error={moneyProblem}
        onChange={(value) => change({ budgetDollars: numberOf(value) })}
      />
      <NumberInput
        className={classes.number}
        label="Time"
        placeholder="no limit"
        suffix=" min"
        hideControls
        min={0.1}
        max={10_080}
        decimalScale={2}
        value={choice.budgetMinutes ?? ""}
        onChange={(value) => change({ budgetMinutes: numberOf(value) })}
      />
    </div>
  );
}
