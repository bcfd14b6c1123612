/** Narrows the list to tapes on which the linter found something, with how many there are. */
import { Select } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";

import { lintCountsQuery } from "@/api/lint";
import type { LintCounts } from "@/api/types";
import { toTapeFilter, type TapeListState } from "@/features/tapes/useTapeFilter";
import { visibleText } from "@/lib/visibleText";

interface LintFilterProps {
  state: TapeListState;
  onChange: (part: Partial<TapeListState>) => void;
}

export function LintFilter({ state, onChange }: LintFilterProps) {
  const filter = toTapeFilter({ ...state, lint: "" });
  const counts = useQuery({ ...lintCountsQuery(filter), placeholderData: keepPreviousData });
  return (
    <Select
      aria-label="Finding"
      placeholder="Any finding"
      w={170}
      clearable
      searchable
      nothingFoundMessage="Nothing of this name was found"
      data={optionsOf(counts.data, state.lint)}
      value={state.lint === "" ? null : state.lint}
      onChange={(lint) => onChange({ lint: lint ?? "" })}
    />
  );
}

export function optionsOf(counts: LintCounts | undefined, current: string) {
  const found = (counts?.items ?? []).map(({ detector, title, tape_count }) => ({
    value: detector,
    label: `${visibleText(title)} (${tape_count})`,
  }));
  const options = [
    { value: "any", label: "With a finding" },
    { value: "none", label: "Linted, nothing found" },
    ...found,
  ];
  if (current === "" || options.some(({ value }) => value === current)) return options;
  // A linked filter still shows when no tape has the finding.
  return [...options, { value: current, label: `${visibleText(current)} (0)` }];
}
