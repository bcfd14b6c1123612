/** The facets of the list with their counts; a check box changes the query. */
import { Button, Drawer, Skeleton } from "@mantine/core";
import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import { useEffect, useRef, useState, type KeyboardEvent } from "react";

import { describeError } from "@/api/client";
import { facetsQuery, readQueryMistake } from "@/api/tapeQueries";
import type { TapeFilter } from "@/api/tapes";
import type { Facet, Facets } from "@/api/types";
import classes from "@/features/tapes/query/query.module.css";
import type { FacetsPlace } from "@/features/tapes/query/useFacetsPlace";
import { formatExact } from "@/lib/format";
import { visibleText } from "@/lib/visibleText";
import { StaleNotice } from "@/ui/States";
import { flip, useCheckRange } from "@/ui/useCheckRange";

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

interface FacetsPanelProps {
  place: FacetsPlace;
  filter: TapeFilter;
  /** The list is not known yet. */
  isPending: boolean;
  onQuery: (query: string) => void;
}

/** Next to the table if there is room, otherwise in a drawer. */
export function FacetsPanel({ place, filter, isPending, onQuery }: FacetsPanelProps) {
  const list = (
    <FacetList
      filter={filter}
      isPending={isPending}
      onQuery={onQuery}
      focusAsked={place.focusAsked}
    />
  );
  if (!place.isBeside) {
    return (
      <Drawer
        opened={place.isOpen}
        onClose={place.toggle}
        size={300}
        transitionProps={{ duration: 150, exitDuration: 0 }}
        title="Facets"
      >
        {list}
      </Drawer>
    );
  }
  if (!place.isOpen) return null;
  return (
    <aside className={classes.panel} aria-label="Facets">
      {list}
    </aside>
  );
}

interface FacetListProps extends Omit<FacetsPanelProps, "place"> {
  /** Incremented when the keys request the first box. */
  focusAsked: number;
}

function FacetList({ filter, isPending, onQuery, focusAsked }: FacetListProps) {
  const facets = useQuery({ ...facetsQuery(filter), enabled: !isPending });
  const boxes = useRef<HTMLDivElement>(null);
  const toggles = useToggles(facets, onQuery);
  const isThere = facets.data !== undefined;
  useEffect(() => {
    if (focusAsked > 0 && isThere) boxesIn(boxes.current)[0]?.focus();
  }, [focusAsked, isThere]);
  return (
    // Arrow keys move from box to box, across facets.
    // eslint-disable-next-line jsx-a11y/no-static-element-interactions
    <div ref={boxes} onKeyDown={moveFocus} data-old={facets.isPlaceholderData || undefined}>
      <FacetGroups facets={facets} toggles={toggles} />
    </div>
  );
}

interface FacetGroupsProps {
  facets: UseQueryResult<Facets>;
  toggles: Toggles;
}

function FacetGroups({ facets, toggles }: FacetGroupsProps) {
  const { data, error } = facets;
  const retry = () => void facets.refetch();
  if (facets.isPending) return <Skeleton height={240} aria-label="Counting" role="status" />;
  if (data === undefined) {
    // A mistake in the query is reported in its field.
    if (readQueryMistake(error) !== null)
      return <p className={`ts-hint ${classes.help}`}>Nothing to count.</p>;
    return (
      <div role="alert">
        <p className={classes.intro}>The tapes could not be counted. {describeError(error)}</p>
        <Button size="compact-sm" variant="default" onClick={retry}>
          Try again
        </Button>
      </div>
    );
  }
  const shown = data.facets.filter(({ values }) => values.length > 0);
  return (
    <>
      {error !== null && <StaleNotice message={describeError(error)} onRetry={retry} />}
      {shown.length === 0 && (
        <p className={`ts-hint ${classes.help}`}>No tapes match this query.</p>
      )}
      {data.is_cut && shown.length > 0 && (
        <p className={`ts-hint ${classes.sampleNote}`}>
          Of the newest {formatExact(data.tape_count)} tapes
        </p>
      )}
      {shown.map((facet) => (
        <FacetGroup
          key={facet.name}
          facet={facet}
          // Without this facet's part of the query the list is longer.
          isCutAlone={facet.is_cut && !data.is_cut}
          toggles={toggles}
        />
      ))}
    </>
  );
}

interface FacetGroupProps {
  facet: Facet;
  isCutAlone: boolean;
  toggles: Toggles;
}

function FacetGroup({ facet, isCutAlone, toggles }: FacetGroupProps) {
  const title = TITLES[facet.name] ?? facet.name;
  const on = new Set(
    facet.values
      .filter(({ value, is_on }) => is_on !== toggles.isFlipped(facet.name, value))
      .map(({ value }) => value),
  );
  const ids = facet.values.map(({ value }) => value);
  const flipped = useCheckRange(ids, (value) => on.has(value));
  return (
    <fieldset className={classes.facet}>
      <legend>
        {title}
        {isCutAlone && ", of the newest tapes"}
      </legend>
      {facet.values.map(({ value, label, count }) => {
        const words = wordsOf(facet.name, value, label);
        return (
          <label
            key={value}
            className={`ts-row ${classes.facetValue}`}
            data-on={on.has(value) || undefined}
          >
            <input
              type="checkbox"
              checked={on.has(value)}
              onChange={(event) => toggles.toggle(facet.name, flipped(value, event))}
            />
            <span className={`ts-truncate ${classes.facetLabel}`} title={words}>
              {words}
            </span>
            <span>{formatExact(count)}</span>
          </label>
        );
      })}
      {facet.more_count > 0 && (
        <span className={`ts-hint ${classes.help}`}>
          {facet.more_count} more; name them in the query
        </span>
      )}
    </fieldset>
  );
}

interface Toggles {
  isFlipped: (facet: string, value: string) => boolean;
  toggle: (facet: string, values: readonly string[]) => void;
}

/** Applies checks one by one: the counts after each one contain the query for the next. */
function useToggles(facets: UseQueryResult<Facets>, onQuery: (query: string) => void): Toggles {
  const { data, isPlaceholderData } = facets;
  const waiting = useRef<[string, string][]>([]);
  // A box shows its new state immediately; new counts then carry the actual state.
  const [flips, setFlips] = useState({ of: data, keys: NONE });
  const flipped = flips.of === data ? flips.keys : NONE;
  const applyNext = () => {
    const [facet, value] = waiting.current.shift() ?? [];
    const values = data?.facets.find(({ name }) => name === facet)?.values ?? [];
    const found = values.find((one) => one.value === value);
    if (found !== undefined) onQuery(found.query);
  };
  useEffect(() => {
    if (isPlaceholderData || data === undefined) return;
    applyNext();
    // Once per response.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [data, isPlaceholderData]);
  return {
    isFlipped: (facet, value) => flipped.has(`${facet}:${value}`),
    toggle: (facet, values) => {
      setFlips({
        of: data,
        keys: flip(
          flipped,
          values.map((value) => `${facet}:${value}`),
        ),
      });
      waiting.current.push(...values.map((value): [string, string] => [facet, value]));
      if (!isPlaceholderData) applyNext();
    },
  };
}

const NONE: ReadonlySet<string> = new Set();

function moveFocus(event: KeyboardEvent<HTMLDivElement>): void {
  const all = boxesIn(event.currentTarget);
  // In a drawer, Escape closes the drawer.
  if (event.key === "Escape" && event.currentTarget.closest("[role=dialog]") === null) {
    event.preventDefault();
    all.find((box) => box === event.target)?.blur();
  }
  const at = all.findIndex((box) => box === event.target);
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 }[event.key];
  if (at < 0 || to === undefined) return;
  event.preventDefault();
  all[Math.min(all.length - 1, Math.max(0, to))]?.focus();
}

function boxesIn(element: HTMLElement | null): HTMLInputElement[] {
  return [...(element?.querySelectorAll<HTMLInputElement>("input[type=checkbox]") ?? [])];
}

function wordsOf(facet: string, value: string, label: string): string {
  if (facet === "steps")
    return value.endsWith("..") ? `${value.slice(0, -2)} or more` : value.replace("..", "–");
  return WORDS[`${facet}:${value}`] ?? visibleText(label);
}
