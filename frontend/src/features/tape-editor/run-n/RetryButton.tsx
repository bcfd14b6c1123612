import { Button, Group, NumberInput, Popover } from "@mantine/core";
import { IconRefresh } from "@tabler/icons-react";
import { useState } from "react";

import { describeError } from "@/api/client";
import { isBeingJudged } from "@/api/experiments";
import type { Experiment } from "@/api/types";
import classes from "@/features/tape-editor/run-n/panel.module.css";
import { budgetOf } from "@/features/tape-editor/run-n/plan";
import { useExperimentActions } from "@/features/tape-editor/run-n/useExperimentActions";
import { countOf } from "@/lib/format";
import { dollars, microDollars } from "@/lib/money";
import { numberOf } from "@/lib/typed";

/** Reruns the branches that did not finish; a budget that is used up must be raised first. */
export function RetryButton({ experiment }: { experiment: Experiment }) {
  const [isOpen, setOpen] = useState(false);
  const { retry } = useExperimentActions(experiment.row.id);
  const count = experiment.branches.filter(
    (branch) => RETRIED.has(branch.state) || needsJudge(branch, experiment),
  ).length;
  if (count === 0) return null;
  return (
    <Popover opened={isOpen} onChange={setOpen} trapFocus returnFocus withArrow width={280}>
      <Popover.Target>
        <Button
          variant="default"
          leftSection={<IconRefresh size={14} />}
          loading={retry.isPending}
          onClick={() => setOpen(!isOpen)}
        >
          Retry {count}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Retry">
        <RetryForm
          experiment={experiment}
          count={count}
          error={retry.error}
          onRetry={(budget) => retry.mutate(budget, { onSuccess: () => setOpen(false) })}
        />
      </Popover.Dropdown>
    </Popover>
  );
}

interface RetryFormProps {
  experiment: Experiment;
  count: number;
  error: Error | null;
  onRetry: (budget: Experiment["budget"] | null) => void;
}

function RetryForm({ experiment, count, error, onRetry }: RetryFormProps) {
  const budget = budgetOf(experiment);
  const [tokens, setTokens] = useState(budget.tokens);
  const [most, setMost] = useState(dollars(budget.microUsd));
  const hasBudget = budget.tokens !== null || budget.microUsd !== null;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onRetry(
          hasBudget ? { tokens, micro_usd: microDollars(most), seconds: budget.seconds } : null,
        );
      }}
    >
      <p className={`ts-hint ${classes.popoverText}`}>
        {countOf(count, "branch continues", "branches continue")} from the steps they already have.
        {hasBudget && " The budget includes what was already spent."}
      </p>
      <Group gap={8} mt={8} grow>
        {budget.tokens !== null && (
          <NumberInput
            label="Total tokens"
            thousandSeparator=","
            hideControls
            min={1}
            value={tokens ?? ""}
            onChange={(value) => setTokens(numberOf(value))}
          />
        )}
        {budget.microUsd !== null && (
          <NumberInput
            label="Total cost"
            prefix="$"
            hideControls
            min={0}
            decimalScale={6}
            value={most ?? ""}
            onChange={(value) => setMost(numberOf(value))}
          />
        )}
      </Group>
      {error !== null && (
        <p className={classes.popoverBad} role="alert">
          {describeError(error)}
        </p>
      )}
      <Group justify="flex-end" mt={12}>
        <Button type="submit">Run again</Button>
      </Group>
    </form>
  );
}

const RETRIED = new Set(["failed", "cancelled", "out_of_budget"]);

/** A judge was asked but gave no judgment; without steps, another try would give none either. */
function needsJudge(branch: Experiment["branches"][number], experiment: Experiment): boolean {
  const hasEnded = branch.state === "succeeded" || branch.state === "waiting";
  return (
    experiment.check !== null &&
    hasEnded &&
    branch.step_count > 0 &&
    branch.judged_as === "" &&
    !isBeingJudged(branch, experiment)
  );
}
