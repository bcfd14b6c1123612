/** Chooses what decides whether a run passes. */
import { Checkbox, Select, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";

import { detectorsQuery, lintRulesQuery } from "@/api/lint";
import type { DatasetScorer, Model } from "@/api/types";
import { CheckFields, JudgeFields } from "@/features/checks";
import {
  FunctionSelect,
  JudgedConstraintFields,
} from "@/features/evaluation/JudgedConstraintFields";
import {
  needsCase,
  needsCheck,
  asksConstraints,
  needsDetector,
  needsOrder,
  asksFunction,
  asksMargin,
  asksPairJudge,
  kindsOf,
  SCORER_CHECKS,
  type ScorerDraft,
} from "@/features/evaluation/scorerDraft";
import { visibleText } from "@/lib/visibleText";

interface ScorerFieldsProps {
  draft: ScorerDraft;
  onChange: (draft: ScorerDraft) => void;
  /** The scorers that belong to the dataset. */
  kept: readonly DatasetScorer[];
  models: readonly Model[];
  withOutcome?: boolean;
}

export function ScorerFields(props: ScorerFieldsProps) {
  const { draft, onChange, kept, models, withOutcome = false } = props;
  const change = (part: Partial<ScorerDraft>) => onChange({ ...draft, ...part });
  return (
    <>
      <Select
        label="Decided by"
        description="Runs that it cannot judge are missing, never wrong"
        allowDeselect={false}
        data={kindsOf(kept, withOutcome)}
        value={draft.kind}
        onChange={(kind) => change({ kind: kind ?? draft.kind })}
      />
      {needsCase(draft) && (
        <Checkbox
          label="Ignore case"
          checked={draft.ignoresCase}
          onChange={({ currentTarget }) => change({ ignoresCase: currentTarget.checked })}
        />
      )}
      {needsOrder(draft) && (
        <Checkbox
          label="Lists in any order"
          checked={draft.anyOrder}
          onChange={({ currentTarget }) => change({ anyOrder: currentTarget.checked })}
        />
      )}
      {asksMargin(draft) && (
        <TextInput
          label="Within"
          placeholder="0"
          inputMode="decimal"
          w={120}
          value={draft.within}
          onChange={({ currentTarget }) => change({ within: currentTarget.value })}
        />
      )}
      {needsCheck(draft) && (
        <CheckFields
          check={draft.check}
          onChange={(check) => change({ check })}
          models={models}
          kinds={SCORER_CHECKS}
        />
      )}
      {asksPairJudge(draft) && (
        <JudgeFields
          check={draft.check}
          change={(part) => change({ check: { ...draft.check, ...part } })}
          models={models}
          withScore={false}
        />
      )}
      {asksConstraints(draft) && (
        <JudgedConstraintFields
          judgeId={draft.check.judgeId}
          onJudge={(judgeId) => change({ check: { ...draft.check, judgeId } })}
          needsAll={draft.needsAll}
          onNeedsAll={(needsAll) => change({ needsAll })}
          constraints={draft.constraints}
          onChange={(constraints) => change({ constraints })}
          models={models}
        />
      )}
      {needsDetector(draft) && (
        <DetectorField detector={draft.detector} onChange={(detector) => change({ detector })} />
      )}
      {asksFunction(draft) && (
        <FunctionSelect
          name={draft.functionName}
          onChange={(functionName) => change({ functionName })}
        />
      )}
    </>
  );
}

interface DetectorFieldProps {
  detector: string | null;
  onChange: (detector: string | null) => void;
}

function DetectorField({ detector, onChange }: DetectorFieldProps) {
  const detectors = useQuery(detectorsQuery()).data ?? [];
  const rules = useQuery(lintRulesQuery()).data ?? [];
  return (
    <Select
      label="Detector or rule"
      description="A run passes when nothing is found in its own steps; a rule counts as it reads now"
      searchable
      data={[
        {
          group: "Rules of the project",
          items: rules.map(({ name }) => ({ value: `rule:${name}`, label: visibleText(name) })),
        },
        {
          group: "Detectors",
          items: detectors.map(({ name, title }) => ({ value: name, label: title })),
        },
      ]}
      value={detector}
      onChange={onChange}
    />
  );
}
