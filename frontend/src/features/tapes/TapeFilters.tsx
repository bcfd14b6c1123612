import { ActionIcon, Button, SegmentedControl, Select, Switch, Tooltip } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { IconChartHistogram, IconX } from "@tabler/icons-react";

import { batchesQuery } from "@/api/batches";
import { readQueryMistake } from "@/api/tapeQueries";
import { tapeAgentsQuery } from "@/api/tapes";
import { batchExportUrl } from "@/api/exports";
import { ExportButton } from "@/features/tapes/ExportButton";
import classes from "@/features/tapes/Tapes.module.css";
import { Facets } from "@/features/tapes/query/Facets";
import { QueryBar } from "@/features/tapes/query/QueryBar";
import { LintFilter } from "@/features/tapes/LintFilter";
import {
  byQuery,
  isFiltered,
  toTapeFilter,
  UNFILTERED,
  type Shown,
  type TapeListState,
} from "@/features/tapes/useTapeFilter";
import { visibleText } from "@/lib/visibleText";

interface TapeFiltersProps {
  state: TapeListState;
  /** Why the list could not be loaded: what is wrong with the query is shown in it. */
  error: Error | null;
  summary: { isOpen: boolean; onToggle: () => void };
  onChange: (part: Partial<TapeListState>) => void;
}

export function TapeFilters({ state, error, summary, onChange }: TapeFiltersProps) {
  const filter = toTapeFilter(state);
  const agents = useQuery(tapeAgentsQuery());
  const batches = useQuery(batchesQuery());
  return (
    <div className={classes.bar} role="search" aria-label="Filter tapes">
      <QueryBar
        value={state.q}
        mistake={readQueryMistake(error)}
        onChange={(q) => onChange({ q })}
      />
      <Facets filter={filter} onQuery={(q) => onChange(byQuery(state, q))} />
      <Button
        variant="default"
        leftSection={<IconChartHistogram size={14} />}
        aria-expanded={summary.isOpen}
        onClick={summary.onToggle}
      >
        Summary
      </Button>
      <Select
        aria-label="Agent"
        placeholder="Any agent"
        w={180}
        clearable
        searchable
        nothingFoundMessage="No such agent"
        data={withCurrent(
          agents.data?.map((name) => ({ value: name, label: visibleText(name) })),
          state.agent,
        )}
        value={state.agent === "" ? null : state.agent}
        onChange={(agent) => onChange({ agent: agent ?? "" })}
      />
      <Select
        aria-label="Batch"
        placeholder="Any batch"
        w={200}
        clearable
        searchable
        nothingFoundMessage="No such batch"
        data={withCurrent(
          batches.data?.map(({ id, name, tape_count }) => ({
            value: id,
            label: `${visibleText(name)} (${tape_count})`,
          })),
          state.batch,
        )}
        value={state.batch === "" ? null : state.batch}
        onChange={(batch) => onChange({ batch: batch ?? "" })}
      />
      <LintFilter state={state} onChange={onChange} />
      <Switch
        label="Has error"
        checked={state.hasError}
        onChange={(event) => onChange({ hasError: event.currentTarget.checked })}
      />
      <SegmentedControl
        aria-label="Which tapes"
        data={SHOWN_WORDS}
        value={state.shown}
        onChange={(shown) => onChange({ shown })}
      />
      <ExportButton
        target={{
          words: isFiltered(state) ? "the tapes of this list" : "all tapes",
          conditions: toTapeFilter(state),
          filesUrl: state.batch === "" ? null : batchExportUrl(state.batch),
        }}
      />
      <Tooltip label="Clear all filters">
        <ActionIcon
          size={30}
          color="gray"
          aria-label="Clear"
          // It keeps its place: a list that moves is a list on which one clicks beside.
          style={isFiltered(state) ? undefined : { visibility: "hidden" }}
          onClick={() => onChange(UNFILTERED)}
        >
          <IconX size={16} />
        </ActionIcon>
      </Tooltip>
    </div>
  );
}

const SHOWN_WORDS: { value: Shown; label: string }[] = [
  { value: "all", label: "All" },
  { value: "pinned", label: "Pinned" },
  { value: "archived", label: "Archived" },
];

interface Option {
  value: string;
  label: string;
}

/** A linked filter still shows when the last tape with it is gone. */
function withCurrent(options: Option[] | undefined, current: string): Option[] {
  const known = options ?? [];
  if (current === "" || known.some(({ value }) => value === current)) return known;
  return [...known, { value: current, label: visibleText(current) }];
}
