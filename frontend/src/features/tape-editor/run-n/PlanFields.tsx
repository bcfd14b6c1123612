/** The parts of the Run N dialog: what is forked, who runs it, how far, for how much. */
import { Checkbox, MultiSelect, NumberInput, Switch, TagsInput } from "@mantine/core";
import type { ReactNode } from "react";

import classes from "@/features/tape-editor/run-n/dialog.module.css";
import { AS_AGENT, keptCounts, type Plan } from "@/features/tape-editor/run-n/plan";
import {
  AgentFields,
  BudgetFields,
  numberOf,
  type RunSetup,
  ToolPolicies,
  UntilFields,
} from "@/features/tape-editor/run";
import { countOf } from "@/lib/format";

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
}: PlanFieldsProps & { stepCount: number }) {
  return (
    <Part id="run-n-what" title="Start">
      {setup.hasDraft && (
        <div className={classes.row} role="group" aria-label="Arms">
          <Checkbox
            label="As edited in the draft"
            checked={plan.hasEdited}
            onChange={({ currentTarget }) => change({ hasEdited: currentTarget.checked })}
          />
          <Checkbox
            label="As recorded, to compare"
            checked={plan.hasOriginal}
            onChange={({ currentTarget }) => change({ hasOriginal: currentTarget.checked })}
          />
        </div>
      )}
      {plan.hasEdited ? (
        <p className={`ts-hint ${classes.hint}`}>
          Every branch starts right after the edit
          {plan.hasOriginal && "; recorded branches start at the same step without it"}. The draft
          does not change.
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
        data={[
          { value: AS_AGENT, label: "Agent default" },
          ...setup.models.map(({ id, name }) => ({ value: id, label: name })),
        ]}
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
  const { choice, change, tools, fit } = setup;
  return (
    <Part id="run-n-how" title="Run length and tools">
      <UntilFields choice={choice} change={change} />
      <ToolPolicies choice={choice} change={change} tools={tools} open={fit?.open_actions ?? []} />
      <p className={`ts-hint ${classes.hint}`}>
        {choice.defaultPolicy === "live"
          ? "Tools run live, once in every branch. Irreversible tools wait for your approval."
          : "These options are shared with the run bar."}
      </p>
    </Part>
  );
}

export function BudgetPart({ plan, change }: PlanFieldsProps) {
  return (
    <Part id="run-n-budget" title="Budget for all runs">
      <BudgetFields choice={plan} change={change} />
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
