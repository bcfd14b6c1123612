/** What decides whether a run passes. */
import { Checkbox, Select, TextInput } from "@mantine/core";

import type { DatasetScorer, Model } from "@/api/types";
import { CheckFields } from "@/features/checks";
import {
  asksCase,
  asksCheck,
  asksMargin,
  kindsOf,
  SCORER_CHECKS,
  type ScorerDraft,
} from "@/features/evaluation/scorerDraft";

interface ScorerFieldsProps {
  draft: ScorerDraft;
  onChange: (draft: ScorerDraft) => void;
  /** Those that the dataset brings. */
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
      {asksCase(draft) && (
        <Checkbox
          label="Ignore case"
          checked={draft.ignoresCase}
          onChange={({ currentTarget }) => change({ ignoresCase: currentTarget.checked })}
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
      {asksCheck(draft) && (
        <CheckFields
          check={draft.check}
          onChange={(check) => change({ check })}
          models={models}
          kinds={SCORER_CHECKS}
        />
      )}
    </>
  );
}
