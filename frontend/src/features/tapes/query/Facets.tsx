/** What the tapes of the list are, with counts; a click changes the query. */
import { Button, Popover, Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { IconFilter } from "@tabler/icons-react";
import { useState } from "react";

import { describeError } from "@/api/client";
import { facetsQuery } from "@/api/tapeQueries";
import type { TapeFilter } from "@/api/tapes";
import type { Facet } from "@/api/types";
import classes from "@/features/tapes/query/query.module.css";
import { visibleText } from "@/lib/visibleText";

const TITLES: Record<string, string> = {
  outcome: "Outcome",
  errors: "Errors",
  agent: "Agent",
  batch: "Batch",
  tag: "Tag",
  lint: "Finding",
  steps: "Steps",
};
const WORDS: Record<string, string> = {
  "outcome:pass": "Passed",
  "outcome:fail": "Failed",
  "outcome:none": "Not judged",
  "errors:with": "With an error",
  "errors:without": "Without an error",
  "agent:": "No agent",
  "batch:": "No batch",
};

interface FacetsProps {
  filter: TapeFilter;
  onQuery: (query: string) => void;
}

export function Facets({ filter, onQuery }: FacetsProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Popover opened={isOpen} onChange={setOpen} width={300} position="bottom-end" trapFocus>
      <Popover.Target>
        <Button
          variant="default"
          leftSection={<IconFilter size={14} />}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          Facets
        </Button>
      </Popover.Target>
      <Popover.Dropdown className={classes.facets}>
        {isOpen && <FacetList filter={filter} onQuery={onQuery} />}
      </Popover.Dropdown>
    </Popover>
  );
}

function FacetList({ filter, onQuery }: FacetsProps) {
  const facets = useQuery(facetsQuery(filter));
  if (facets.isPending) return <Skeleton height={160} aria-label="Counting" role="status" />;
  if (facets.isError) return <p role="alert">{describeError(facets.error)}</p>;
  const shown = facets.data.facets.filter(({ values }) => values.length > 0);
  if (shown.length === 0) return <p className={classes.intro}>No tape fits this query.</p>;
  return shown.map((facet) => <FacetGroup key={facet.name} facet={facet} onQuery={onQuery} />);
}

function FacetGroup({ facet, onQuery }: { facet: Facet; onQuery: (query: string) => void }) {
  const title = TITLES[facet.name] ?? facet.name;
  return (
    <fieldset className={classes.facet}>
      <legend>{title}</legend>
      {facet.values.map(({ value, label, count, is_on, query }) => (
        <button
          key={value}
          type="button"
          className={classes.facetValue}
          aria-pressed={is_on}
          onClick={() => onQuery(query)}
        >
          <span className={classes.facetLabel}>{wordsOf(facet.name, value, label)}</span>
          <span className={classes.count}>
            {count.toLocaleString("en-US")}
            {facet.is_cut ? "+" : ""}
          </span>
        </button>
      ))}
      {facet.more_count > 0 && (
        <span className={classes.help}>{facet.more_count} more, name them in the query</span>
      )}
    </fieldset>
  );
}

function wordsOf(facet: string, value: string, label: string): string {
  if (facet === "steps")
    return value.endsWith("..") ? `${value.slice(0, -2)} or more` : value.replace("..", "–");
  return WORDS[`${facet}:${value}`] ?? visibleText(label);
}
