import { ActionIcon, Button, SegmentedControl, Switch, Tooltip } from "@mantine/core";
import { IconChartHistogram, IconFilter, IconX } from "@tabler/icons-react";
import { useSearchParams } from "react-router";

import { ForWriters } from "@/api/ForWriters";
import { readQueryMistake } from "@/api/tapeQueries";
import { ExportButton } from "@/features/tapes/ExportButton";
import type { ExportTarget } from "@/features/tapes/ExportForm";
import classes from "@/features/tapes/Tapes.module.css";
import { LinkedConditions } from "@/features/tapes/LinkedConditions";
import { QueryBar } from "@/features/tapes/query/QueryBar";
import type { FacetsPlace } from "@/features/tapes/query/useFacetsPlace";
import {
  isFiltered,
  toTapeFilter,
  UNFILTERED,
  combinedQuery,
  type Shown,
  type TapeListState,
} from "@/features/tapes/useTapeFilter";

interface TapeFiltersProps {
  state: TapeListState;
  /** Why the list could not be loaded: a mistake in the query is shown in its field. */
  error: Error | null;
  facets: FacetsPlace;
  summary: { isOpen: boolean; onToggle: () => void };
  onChange: (part: Partial<TapeListState>) => void;
}

export function TapeFilters({ state, error, facets, summary, onChange }: TapeFiltersProps) {
  return (
    <div className={`ts-row ${classes.bar}`} role="search" aria-label="Filter tapes">
      <QueryBar
        value={state.q}
        mistake={readQueryMistake(error, combinedQuery(state).start)}
        onChange={(q) => onChange({ q })}
      />
      <Button
        variant="default"
        leftSection={<IconFilter size={14} />}
        aria-expanded={facets.isOpen}
        onClick={facets.toggle}
      >
        Facets
      </Button>
      <Button
        variant="default"
        leftSection={<IconChartHistogram size={14} />}
        aria-expanded={summary.isOpen}
        onClick={summary.onToggle}
      >
        Summary
      </Button>
      <LinkedConditions state={state} onChange={onChange} />
      <Switch
        label="Has error"
        checked={state.hasError}
        onChange={(event) => onChange({ hasError: event.currentTarget.checked })}
      />
      <SegmentedControl
        aria-label="Scope"
        data={SHOWN_WORDS}
        value={state.shown}
        onChange={(shown) => onChange({ shown })}
      />
      <ExportOfList
        target={{
          words: isFiltered(state) ? "the tapes of this list" : "all tapes",
          conditions: toTapeFilter(state),
        }}
      />
      <Tooltip label="Clear all filters">
        <ActionIcon
          size={30}
          color="gray"
          aria-label="Clear"
          // It keeps its space: a button that moves makes people click next to it.
          style={isFiltered(state) ? undefined : { visibility: "hidden" }}
          onClick={() => onChange(UNFILTERED)}
        >
          <IconX size={16} />
        </ActionIcon>
      </Tooltip>
    </div>
  );
}

/** A link to a list may request its export (`export=1`); closing the dialog removes that. */
function ExportOfList({ target }: { target: ExportTarget }) {
  const [params, setParams] = useSearchParams();
  const forget = () => {
    if (!params.has(ASKED)) return;
    setParams(
      (old) => {
        const kept = new URLSearchParams(old);
        kept.delete(ASKED);
        return kept;
      },
      { replace: true },
    );
  };
  return (
    <ForWriters>
      <ExportButton target={target} isOpenAtFirst={params.has(ASKED)} onClose={forget} />
    </ForWriters>
  );
}

const ASKED = "export";

const SHOWN_WORDS: { value: Shown; label: string }[] = [
  { value: "all", label: "All" },
  { value: "pinned", label: "Pinned" },
  { value: "archived", label: "Archived" },
];
