/** The fields of one kind of check, and the select for the kind. */
import { Checkbox, NumberInput, Select, Textarea, TextInput } from "@mantine/core";

import type { Model } from "@/api/types";
import classes from "@/features/checks/checks.module.css";
import type { CheckKind, NextStepCheck, TypedCheck } from "@/features/checks/typedCheck";
import { optionsOf } from "@/lib/options";
import { numberOf } from "@/lib/typed";
import { visibleText } from "@/lib/visibleText";

interface KindSelectProps {
  label: string;
  kinds: readonly { value: CheckKind; label: string }[];
  kind: CheckKind;
  onChange: (kind: CheckKind) => void;
}

export function KindSelect({ label, kinds, kind, onChange }: KindSelectProps) {
  return (
    <Select
      aria-label={label}
      allowDeselect={false}
      data={[...kinds]}
      value={kind}
      onChange={(chosen) => onChange(kinds.find(({ value }) => value === chosen)?.value ?? kind)}
    />
  );
}

interface KindFieldsProps {
  check: TypedCheck;
  change: (part: Partial<TypedCheck>) => void;
  models: readonly Model[];
}

export function KindFields({ check, change, models }: KindFieldsProps) {
  switch (check.kind) {
    case "contains":
    case "equals":
      return (
        <>
          <Textarea
            label="Text"
            autosize
            minRows={1}
            maxRows={6}
            value={check.text}
            onChange={({ currentTarget }) => change({ text: currentTarget.value })}
          />
          <Checkbox
            label="Ignore case"
            checked={check.ignoresCase}
            onChange={({ currentTarget }) => change({ ignoresCase: currentTarget.checked })}
          />
        </>
      );
    case "number":
      return (
        <div className={classes.row}>
          <TextInput
            className={classes.number}
            label="Number"
            inputMode="decimal"
            value={check.number}
            onChange={({ currentTarget }) => change({ number: currentTarget.value })}
          />
          <TextInput
            className={classes.number}
            label="Within"
            placeholder="0"
            inputMode="decimal"
            value={check.within}
            onChange={({ currentTarget }) => change({ within: currentTarget.value })}
          />
        </div>
      );
    case "regex":
      return (
        <TextInput
          label="Pattern"
          description="A regular expression that matches anywhere in the final text."
          classNames={{ input: classes.mono ?? "" }}
          value={check.pattern}
          onChange={({ currentTarget }) => change({ pattern: currentTarget.value })}
        />
      );
    case "jmespath":
      return (
        <TextInput
          label="Expression"
          description="JMESPath over text, step, result, status, step_count and state; a number from 0 to 1 is a score."
          placeholder="contains(text, '42') && step_count < `10`"
          classNames={{ input: classes.mono ?? "" }}
          value={check.expression}
          onChange={({ currentTarget }) => change({ expression: currentTarget.value })}
        />
      );
    case "state":
      return (
        <>
          <Textarea
            label="State"
            description="A JSON object. Fields that it does not name are ignored; lists are compared in full."
            placeholder='{"orders": {"17": {"status": "cancelled"}}}'
            classNames={{ input: classes.mono ?? "" }}
            autosize
            minRows={2}
            maxRows={10}
            value={check.state}
            onChange={({ currentTarget }) => change({ state: currentTarget.value })}
          />
          <Checkbox
            label="Nothing else is in it"
            checked={check.isExact}
            onChange={({ currentTarget }) => change({ isExact: currentTarget.checked })}
          />
        </>
      );
    case "constraints":
    case "checkpoints":
      return null;
    case "next_step":
      return check.nextStep === null ? null : <RecordedAction check={check.nextStep} />;
    case "judge":
      return <JudgeFields check={check} change={change} models={models} />;
    case "no_error":
      return <p className={`ts-hint ${classes.hint}`}>Reaching the turn limit also fails.</p>;
    case "hand":
      return (
        <p className={`ts-hint ${classes.hint}`}>
          In the grid, press y to pass or n to fail a branch. You can add a check later without
          rerunning.
        </p>
      );
  }
}

/** What a next-step test compares with; recorded on a tape. */
function RecordedAction({ check }: { check: NextStepCheck }) {
  const { step_kind: kind, tools, arguments: given } = check;
  const names = tools.length === 0 ? [kind] : tools;
  return (
    <>
      <p className={`ts-hint ${classes.hint}`}>
        One third for the kind, two thirds with the tools, all of it with the recorded arguments.
        Choose another criterion to replace it.
      </p>
      {names.map((name, place) => (
        <pre key={place} className={classes.recorded}>
          {visibleText(`${name} ${JSON.stringify(given[place] ?? {}, null, 2)}`)}
        </pre>
      ))}
    </>
  );
}

interface JudgeFieldsProps extends KindFieldsProps {
  /** A judge that compares two tapes gives no score. */
  withScore?: boolean;
}

/** Chooses the judge model and its rubric. */
export function JudgeFields({ check, change, models, withScore = true }: JudgeFieldsProps) {
  return (
    <>
      <div className={classes.row}>
        <Select
          className={classes.wide}
          label="Judge"
          placeholder="Choose a model"
          searchable
          data={optionsOf(models)}
          value={check.judgeId}
          onChange={(judgeId) => change({ judgeId })}
        />
        {withScore && (
          <NumberInput
            className={classes.number}
            label="Passing score"
            min={0}
            max={1}
            step={0.05}
            decimalScale={2}
            value={check.passScore}
            onChange={(value) => change({ passScore: numberOf(value) ?? 0.5 })}
          />
        )}
      </div>
      <Textarea
        label="Rubric"
        placeholder="What a good result must and must not contain"
        autosize
        minRows={3}
        maxRows={10}
        value={check.rubric}
        onChange={({ currentTarget }) => change({ rubric: currentTarget.value })}
      />
    </>
  );
}
