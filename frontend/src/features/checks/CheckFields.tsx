/** A pass criterion: a check of the result, several checks, a judge, or the person's judgment. */
import type { Model } from "@/api/types";
import { ConstraintFields } from "@/features/checks/ConstraintFields";
import { KindFields, KindSelect } from "@/features/checks/KindFields";
import {
  type CheckKind,
  NEXT_STEP,
  RUN_N_KINDS,
  type TypedCheck,
} from "@/features/checks/typedCheck";

interface CheckFieldsProps {
  check: TypedCheck;
  onChange: (check: TypedCheck) => void;
  /** The models that may judge. */
  models?: readonly Model[];
  /** The available kinds; by default those of Run N. */
  kinds?: readonly { value: CheckKind; label: string }[];
}

export function CheckFields({
  check,
  onChange,
  models = [],
  kinds = RUN_N_KINDS,
}: CheckFieldsProps) {
  const change = (part: Partial<TypedCheck>) => onChange({ ...check, ...part });
  return (
    <>
      <KindSelect
        label="Pass criterion"
        kinds={check.nextStep === null ? kinds : [NEXT_STEP, ...kinds]}
        kind={check.kind}
        onChange={(kind) => change({ kind })}
      />
      {check.kind === "constraints" || check.kind === "checkpoints" ? (
        <ConstraintFields
          noun={check.kind === "constraints" ? "constraint" : "checkpoint"}
          constraints={check.constraints}
          onChange={(constraints) => change({ constraints })}
        />
      ) : (
        <KindFields check={check} change={change} models={models} />
      )}
    </>
  );
}
