/** Several constraints, each decided by a check, by the judge, or by both. */
import { Button, Checkbox, Select, Textarea } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";

import { scorerFunctionsQuery } from "@/api/sweeps";
import type { Model } from "@/api/types";
import { KindFields, NamedFieldset } from "@/features/checks";
import {
  CODE_KINDS,
  DECIDED_BY,
  newConstraint,
  SETTLES,
  type TypedJudgedConstraint,
} from "@/features/evaluation/judgedConstraints";
import { optionsOf } from "@/lib/options";
import { PluginSelect } from "@/ui/PluginSelect";

interface JudgedConstraintFieldsProps {
  judgeId: string | null;
  onJudge: (judgeId: string | null) => void;
  needsAll: boolean;
  onNeedsAll: (needsAll: boolean) => void;
  constraints: readonly TypedJudgedConstraint[];
  onChange: (constraints: readonly TypedJudgedConstraint[]) => void;
  models: readonly Model[];
}

export function JudgedConstraintFields(props: JudgedConstraintFieldsProps) {
  const { judgeId, onJudge, needsAll, onNeedsAll, constraints, onChange, models } = props;
  const change = (id: number, part: Partial<TypedJudgedConstraint>) =>
    onChange(constraints.map((one) => (one.id === id ? { ...one, ...part } : one)));
  return (
    <>
      <Select
        label="Judge"
        description="Asked about one constraint at a time; each verdict opens as a tape"
        placeholder="Choose a model"
        searchable
        data={optionsOf(models)}
        value={judgeId}
        onChange={onJudge}
      />
      {constraints.map((one, at) => (
        <NamedFieldset
          key={one.id}
          noun="constraint"
          place={at + 1}
          name={one.name}
          onName={(name) => change(one.id, { name })}
          onRemove={() => onChange(constraints.filter(({ id }) => id !== one.id))}
        >
          <Choice
            label={`Who decides constraint ${at + 1}`}
            options={DECIDED_BY}
            value={one.by}
            onChange={(by) => change(one.id, { by })}
          />
          {one.by !== "judge" && (
            <CodeFields constraint={one} place={at + 1} change={(part) => change(one.id, part)} />
          )}
          {one.by === "hybrid" && (
            <Choice
              label={`When the judge is asked about constraint ${at + 1}`}
              options={SETTLES}
              value={one.settles}
              onChange={(settles) => change(one.id, { settles })}
            />
          )}
          {one.by !== "code" && (
            <Textarea
              aria-label={`What the judge is asked about constraint ${at + 1}`}
              placeholder="The answer names its source."
              autosize
              minRows={1}
              maxRows={6}
              maxLength={2000}
              value={one.says}
              onChange={({ currentTarget }) => change(one.id, { says: currentTarget.value })}
            />
          )}
        </NamedFieldset>
      ))}
      <Button
        variant="default"
        leftSection={<IconPlus size={14} />}
        onClick={() => onChange([...constraints, newConstraint(constraints)])}
      >
        Add a constraint
      </Button>
      <Checkbox
        label="All or nothing: a run scores 0 unless all are met"
        checked={needsAll}
        onChange={({ currentTarget }) => onNeedsAll(currentTarget.checked)}
      />
    </>
  );
}

interface CodeFieldsProps {
  constraint: TypedJudgedConstraint;
  /** Counted from 1. */
  place: number;
  change: (part: Partial<TypedJudgedConstraint>) => void;
}

function CodeFields({ constraint, place, change }: CodeFieldsProps) {
  const { kind, check, functionName } = constraint;
  return (
    <>
      <Choice
        label={`What constraint ${place} checks`}
        options={CODE_KINDS}
        value={kind}
        onChange={(chosen) => change({ kind: chosen })}
      />
      {kind === "function" ? (
        <FunctionSelect name={functionName} onChange={(name) => change({ functionName: name })} />
      ) : (
        kind !== "answer" && (
          <KindFields
            check={{ ...check, kind }}
            change={(part) => change({ check: { ...check, ...part } })}
            models={[]}
          />
        )
      )}
    </>
  );
}

interface FunctionSelectProps {
  name: string | null;
  onChange: (name: string | null) => void;
}

/** A select for a scorer function from a plugin. */
export function FunctionSelect({ name, onChange }: FunctionSelectProps) {
  const found = useQuery(scorerFunctionsQuery());
  return <PluginSelect label="Function" provided={found.data} value={name} onChange={onChange} />;
}

interface ChoiceProps<Value extends string> {
  label: string;
  options: readonly { value: Value; label: string }[];
  value: Value;
  onChange: (value: Value) => void;
}

function Choice<Value extends string>({ label, options, value, onChange }: ChoiceProps<Value>) {
  return (
    <Select
      aria-label={label}
      allowDeselect={false}
      data={[...options]}
      value={value}
      onChange={(chosen) => onChange(options.find((one) => one.value === chosen)?.value ?? value)}
    />
  );
}
