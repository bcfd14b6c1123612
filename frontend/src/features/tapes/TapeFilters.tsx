import { ActionIcon, SegmentedControl, Select, Switch, TextInput, Tooltip } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { IconSearch, IconX } from "@tabler/icons-react";
import { useMemo, useRef, useState } from "react";

import { batchesQuery } from "@/api/batches";
import { tapeAgentsQuery } from "@/api/tapes";
import { batchExportUrl } from "@/api/exports";
import { ExportButton } from "@/features/tapes/ExportButton";
import classes from "@/features/tapes/Tapes.module.css";
import { LintFilter } from "@/features/tapes/LintFilter";
import {
  isFiltered,
  toTapeFilter,
  UNFILTERED,
  type Shown,
  type TapeListState,
} from "@/features/tapes/useTapeFilter";
import { useKeys } from "@/lib/keys";
import { visibleText } from "@/lib/visibleText";

interface TapeFiltersProps {
  state: TapeListState;
  onChange: (part: Partial<TapeListState>) => void;
}

export function TapeFilters({ state, onChange }: TapeFiltersProps) {
  const agents = useQuery(tapeAgentsQuery());
  const batches = useQuery(batchesQuery());
  return (
    <div className={classes.bar} role="search" aria-label="Filter tapes">
      <SearchBox value={state.search} onChange={(search) => onChange({ search })} />
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

function SearchBox({ value, onChange }: { value: string; onChange: (search: string) => void }) {
  const [text, setText] = useState(value);
  const [sent, setSent] = useState(value);
  // A value from elsewhere (back, a link, "clear") replaces what is typed; one's own does not.
  if (value !== sent) {
    setSent(value);
    setText(value);
  }
  const input = useRef<HTMLInputElement>(null);
  const send = useDebouncedCallback((search: string) => {
    setSent(search);
    onChange(search);
  }, 250);
  const bindings = useMemo(
    () => [{ keys: "/", label: "Search tapes", run: () => input.current?.focus() }],
    [],
  );
  useKeys("Tapes", bindings);
  return (
    <TextInput
      ref={input}
      className={classes.search}
      type="search"
      aria-label="Search tapes"
      placeholder="Search titles and steps"
      leftSection={<IconSearch size={14} />}
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value);
        send(event.currentTarget.value.trim());
      }}
      // At once: a search that is sent later would call back whoever is on the way elsewhere.
      onBlur={() => send.flush()}
      onKeyDown={(event) => {
        // Both lead back to the list, with the words kept; a browser would clear them at Escape.
        if (event.key !== "Enter" && event.key !== "Escape") return;
        event.preventDefault();
        event.currentTarget.blur();
      }}
    />
  );
}

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
