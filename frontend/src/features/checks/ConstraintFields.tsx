/** Several named checks; all of them must hold, checkpoints in their order. */
import { Button, Checkbox, TextInput } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";

import classes from "@/features/checks/checks.module.css";
import { KindFields, KindSelect } from "@/features/checks/KindFields";
import { NamedFieldset } from "@/features/checks/NamedFieldset";
import { CONSTRAINT_KINDS, NO_CHECK, type TypedConstraint } from "@/features/checks/typedCheck";

interface ConstraintFieldsProps {
  noun: "constraint" | "checkpoint";
  constraints: readonly TypedConstraint[];
  onChange: (constraints: readonly TypedConstraint[]) => void;
}

export function ConstraintFields({ noun, constraints, onChange }: ConstraintFieldsProps) {
  const change = (id: number, part: Partial<TypedConstraint>) =>
    onChange(constraints.map((one) => (one.id === id ? { ...one, ...part } : one)));
  const add = () =>
    onChange([
      ...constraints,
      {
        id: Math.max(-1, ...constraints.map(({ id }) => id)) + 1,
        name: "",
        weight: "1",
        atEnd: false,
        check: { ...NO_CHECK, kind: "contains" },
      },
    ]);
  return (
    <>
      {constraints.map(({ id, name, weight, atEnd, check }, place) => (
        <NamedFieldset
          key={id}
          noun={noun}
          place={place + 1}
          name={name}
          onName={(typed) => change(id, { name: typed })}
          onRemove={() => onChange(constraints.filter((one) => one.id !== id))}
        >
          <KindSelect
            label={`What ${noun} ${place + 1} asks`}
            kinds={CONSTRAINT_KINDS}
            kind={check.kind}
            onChange={(kind) => change(id, { check: { ...check, kind } })}
          />
          <KindFields
            check={check}
            change={(part) => change(id, { check: { ...check, ...part } })}
            models={[]}
          />
          {noun === "checkpoint" && (
            <div className={classes.named}>
              <TextInput
                className={classes.number}
                aria-label={`Weight of checkpoint ${place + 1}`}
                leftSection={<span className="ts-hint">Weight</span>}
                leftSectionWidth={60}
                inputMode="decimal"
                value={weight}
                onChange={({ currentTarget }) => change(id, { weight: currentTarget.value })}
              />
              <Checkbox
                label="At the end"
                checked={atEnd}
                onChange={({ currentTarget }) => change(id, { atEnd: currentTarget.checked })}
              />
            </div>
          )}
        </NamedFieldset>
      ))}
      <Button variant="default" leftSection={<IconPlus size={14} />} onClick={add}>
        Add a {noun}
      </Button>
    </>
  );
}
