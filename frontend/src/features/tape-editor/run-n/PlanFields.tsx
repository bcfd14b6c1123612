/** The parts of the Run N dialog: what is forked, who runs it, how far, and the budget. */
import { Checkbox, MultiSelect, NumberInput, Switch, TagsInput } from "@mantine/core";
import type { ChangeEvent, ReactNode } from "react";

import type { Fix } from "@/api/types";
import type { FixTab } from "@/features/tape-editor/fixes";
import classes from "@/features/tape-editor/run-n/dialog.module.css";
import { AS_AGENT } from "@/features/tape-editor/choice";
import { keptCounts, type Plan } from "@/features/tape-editor/run-n/plan";
import {
  AgentFields,
  BudgetFields,
  type RunSetup,
  ToolPolicies,
  UntilFields,
  useToolLines,
} from "@/features/tape-editor/run";
import { countOf } from "@/lib/format";
import { optionsOf } from "@/lib/options";
import { numberOf } from "@/lib/typed";
import { visibleText } from "@/lib/visibleText";
import { flip, useCheckRange } from "@/ui/useCheckRange";

interface PlanFieldsProps {
  plan: Plan;
  change: (part: Partial<Plan>) => void;
  setup: RunSetup;
}

export function WhatPart({
  plan,
  change,
  setup,
  stepCount,
  tabs,
}: PlanFieldsProps & { stepCount: number; tabs: readonly FixTab[] }) {
  const fixes = tabs.filter(({ editCount }) => editCount > 0);
  const ids = fixes.map(({ fix }) => fix);
  const flipped = useCheckRange(ids, (id) => plan.fixes.some((fix) => fix === id));
  const toggle = (fix: Fix, event: ChangeEvent<HTMLInputElement>) => {
    const next = flip(new Set(plan.fixes), flipped(fix, event));
    change({ fixes: ids.filter((id) => next.has(id)) });
  };
  return (
    <Part id="run-n-what" title="Start">
      {fixes.length > 0 && (
        <div className={`ts-stack ${classes.arms}`} role="group" aria-label="What is compared">
          {fixes.map(({ fix, name, words }) => (
            <Checkbox
              key={fix}
              label={`Fix ${fix}: ${visibleText(name === "" ? words : name)}`}
              checked={plan.fixes.includes(fix)}
              onChange={(event) => toggle(fix, event)}
            />
          ))}
          <Checkbox
            label="As recorded, as the baseline"
            checked={plan.hasOriginal}
            onChange={({ currentTarget }) => change({ hasOriginal: currentTarget.checked })}
          />
        </div>
      )}
      {plan.fixes.length > 0 ? (
        <p className={`ts-hint ${classes.hint}`}>
          Each branch starts right after the edit of its fix
          {plan.hasOriginal && baselineWords(plan.fixes.length)}. The fixes do not change.
        </p>
      ) : (
        <Steps plan={plan} change={change} setup={setup} stepCount={stepCount} />
      )}
      <NumberInput
        className={classes.number}
        label="Repeats"
        data-autofocus
        min={1}
        max={200}
        allowDecimal={false}
        value={plan.repeats}
        onChange={(value) => change({ repeats: numberOf(value) ?? 1 })}
      />
    </Part>
  );
}

function baselineWords(count: number): string {
  return count === 1
    ? "; the baseline starts at the same step without it"
    : "; the baseline starts at the earliest of these steps without any";
}

function Steps({ plan, change, stepCount }: PlanFieldsProps & { stepCount: number }) {
  const last = Math.max(0, stepCount - 1);
  const places = keptCounts(plan).length;
  return (
    <>
      <div className={classes.row}>
        <NumberInput
          className={classes.number}
          label={plan.isRange ? "From step" : "Keep through step"}
          min={0}
          max={last}
          allowDecimal={false}
          value={plan.step}
          onChange={(value) => change({ step: numberOf(value) ?? 0 })}
        />
        {plan.isRange && (
          <>
            <NumberInput
              className={classes.number}
              label="To step"
              min={0}
              max={last}
              allowDecimal={false}
              value={plan.lastStep}
              onChange={(value) => change({ lastStep: numberOf(value) ?? last })}
            />
            <NumberInput
              className={classes.number}
              label="Every"
              suffix={plan.every === 1 ? " step" : " steps"}
              min={1}
              max={Math.max(1, last)}
              allowDecimal={false}
              value={plan.every}
              onChange={(value) => change({ every: numberOf(value) ?? 1 })}
            />
          </>
        )}
      </div>
      <Switch
        label="A range of steps, to see the value of each"
        checked={plan.isRange}
        onChange={({ currentTarget }) => change({ isRange: currentTarget.checked })}
      />
      <p className={`ts-hint ${classes.hint}`}>
        {plan.isRange
          ? `${countOf(places, "place")} to start from: the pass rate from each step shows which one decided the outcome.`
          : `Keeps the steps up to ${plan.step}; the agent redoes everything after it.`}
      </p>
    </>
  );
}

export function WhoPart({ plan, change, setup }: PlanFieldsProps) {
  return (
    <Part id="run-n-who" title="Agent and models">
      <div className={classes.row}>
        <AgentFields setup={setup} />
      </div>
      <MultiSelect
        label="Models"
        searchable
        hidePickedOptions
        data={[{ value: AS_AGENT, label: "Agent default" }, ...optionsOf(setup.models)]}
        value={[...plan.modelIds]}
        onChange={(modelIds) => change({ modelIds })}
      />
      <TagsInput
        label="Temperatures"
        placeholder={plan.temperatures.length === 0 ? "agent default" : ""}
        description="Enter one or more to compare, such as 0 and 0.7; press Enter after each."
        acceptValueOnBlur
        value={[...plan.temperatures]}
        onChange={(temperatures) => change({ temperatures })}
      />
    </Part>
  );
}

export function HowPart({ setup }: PlanFieldsProps) {
  const { choice, change } = setup;
  return (
    <Part id="run-n-how" title="Run length and tools">
      <UntilFields choice={choice} change={change} />
      <ToolPolicies
        choice={choice}
        change={change}
        tools={useToolLines(setup)}
        rules={setup.toolRules}
      />
      <p className={`ts-hint ${classes.hint}`}>
        {choice.defaultPolicy === "live"
          ? "Tools run live, once in every branch. Irreversible tools wait for your approval."
          : "These options are shared with the run bar."}
      </p>
    </Part>
  );
}

export function BudgetPart({
  plan,
  change,
  moneyProblem,
}: PlanFieldsProps & { moneyProblem: string | undefined }) {
  return (
    <Part id="run-n-budget" title="Budget for all runs">
      <BudgetFields choice={plan} change={change} moneyProblem={moneyProblem} />
      <p className={`ts-hint ${classes.hint}`}>
        A hard limit for all runs. A branch that it stops does not count as failed, and you can
        continue it later.
      </p>
    </Part>
  );
}

function Part({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section className={`ts-stack ${classes.part}`} aria-labelledby={id}>
      <h3 id={id} className={classes.heading}>
        {title}
      </h3>
      {children}
    </section>
  );
}
