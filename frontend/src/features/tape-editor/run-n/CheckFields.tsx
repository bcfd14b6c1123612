/** Pass criterion: a check over the result, a judge, or the person's own word. */
import { Checkbox, NumberInput, Select, Textarea, TextInput } from "@mantine/core";

import type { Model } from "@/api/types";
import classes from "@/features/tape-editor/run-n/dialog.module.css";
import { CHECK_KINDS, type TypedCheck } from "@/features/tape-editor/run-n/plan";

interface CheckFieldsProps {
  check: TypedCheck;
  onChange: (check: TypedCheck) => void;
  models: readonly Model[];
}

export function CheckFields({ check, onChange, models }: CheckFieldsProps) {
  const change = (part: Partial<TypedCheck>) => onChange({ ...check, ...part });
  return (
    <>
      <Select
        aria-label="Pass criterion"
        allowDeselect={false}
        data={[...CHECK_KINDS]}
        value={check.kind}
        onChange={(chosen) =>
          change({ kind: CHECK_KINDS.find(({ value }) => value === chosen)?.value ?? "hand" })
        }
      />
      <KindFields check={check} change={change} models={models} />
    </>
  );
}

interface KindFieldsProps {
  check: TypedCheck;
  change: (part: Partial<TypedCheck>) => void;
  models: readonly Model[];
}

function KindFields({ check, change, models }: KindFieldsProps) {
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
          description="JMESPath over text, step, result, status and step_count; a number from 0 to 1 is a score."
          placeholder="contains(text, '42') && step_count < `10`"
          classNames={{ input: classes.mono ?? "" }}
          value={check.expression}
          onChange={({ currentTarget }) => change({ expression: currentTarget.value })}
        />
      );
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

function JudgeFields({ check, change, models }: KindFieldsProps) {
  return (
    <>
      <div className={classes.row}>
        <Select
          className={classes.wide}
          label="Judge"
          placeholder="Choose a model"
          searchable
          data={models.map(({ id, name }) => ({ value: id, label: name }))}
          value={check.judgeId}
          onChange={(judgeId) => change({ judgeId })}
        />
        <NumberInput
          className={classes.number}
          label="Passing score"
          min={0}
          max={1}
          step={0.05}
          decimalScale={2}
          value={check.passScore}
          onChange={(value) => change({ passScore: typeof value === "number" ? value : 0.5 })}
        />
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
