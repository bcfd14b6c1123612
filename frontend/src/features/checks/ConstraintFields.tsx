/** Several checks, each by its name; all of them have to hold. */
import { ActionIcon, Button, TextInput } from "@mantine/core";
import { IconPlus, IconX } from "@tabler/icons-react";

import classes from "@/features/checks/checks.module.css";
import { KindFields, KindSelect } from "@/features/checks/KindFields";
import { CONSTRAINT_KINDS, NO_CHECK, type TypedConstraint } from "@/features/checks/typedCheck";

interface ConstraintFieldsProps {
  constraints: readonly TypedConstraint[];
  onChange: (constraints: readonly TypedConstraint[]) => void;
}

export function ConstraintFields({ constraints, onChange }: ConstraintFieldsProps) {
  const change = (id: number, part: Partial<TypedConstraint>) =>
    onChange(constraints.map((one) => (one.id === id ? { ...one, ...part } : one)));
  const add = () =>
    onChange([
      ...constraints,
      {
        id: Math.max(-1, ...constraints.map(({ id }) => id)) + 1,
        name: "",
        weight: 1,
        check: { ...NO_CHECK, kind: "contains" },
      },
    ]);
  return (
    <>
      {constraints.map(({ id, name, check }, place) => (
        <fieldset key={id} className={`ts-stack ${classes.constraint}`}>
          <legend className="ts-hint">Constraint {place + 1}</legend>
          <div className={classes.named}>
            <TextInput
              className={classes.wide}
              aria-label={`Name of constraint ${place + 1}`}
              placeholder="Name"
              maxLength={200}
              value={name}
              onChange={({ currentTarget }) => change(id, { name: currentTarget.value })}
            />
            <ActionIcon
              variant="default"
              size={30}
              aria-label={`Remove constraint ${place + 1}`}
              onClick={() => onChange(constraints.filter((one) => one.id !== id))}
            >
              <IconX size={14} />
            </ActionIcon>
          </div>
          <KindSelect
            label={`What constraint ${place + 1} asks`}
            kinds={CONSTRAINT_KINDS}
            kind={check.kind}
            onChange={(kind) => change(id, { check: { ...check, kind } })}
          />
          <KindFields
            check={check}
            change={(part) => change(id, { check: { ...check, ...part } })}
            models={[]}
          />
        </fieldset>
      ))}
      <Button variant="default" leftSection={<IconPlus size={14} />} onClick={add}>
        Add a constraint
      </Button>
    </>
  );
}
