/** What the tapes of the list have in common; clicking a part narrows the list to it. */
import { Button, Skeleton } from "@mantine/core";
import { useQuery, type UseQueryResult } from "@tanstack/react-query";

import { describeError } from "@/api/client";
import { readQueryMistake } from "@/api/tapeQueries";
import { tapeSummaryQuery, type TapeFilter } from "@/api/tapes";
import type { TapeSummary } from "@/api/types";
import { FailurePlaces } from "@/features/tapes/summary/FailurePlaces";
import { Histogram } from "@/features/tapes/summary/Histogram";
import { OutcomeCounts } from "@/features/tapes/summary/OutcomeCounts";
import classes from "@/features/tapes/summary/summary.module.css";
import { countOf, formatCost, formatExact, formatSeconds } from "@/lib/format";
import { StaleNotice } from "@/ui/States";

interface SummaryPaneProps {
  filter: TapeFilter;
  /** The list is not known yet. */
  isPending: boolean;
  onQuery: (query: string) => void;
}

export function SummaryPane({ filter, isPending, onQuery }: SummaryPaneProps) {
  const summary = useQuery({ ...tapeSummaryQuery(filter), enabled: !isPending });
  return (
    <section className={classes.pane} aria-label="Summary of the list">
      <SummaryState summary={summary} onQuery={onQuery} />
    </section>
  );
}

interface SummaryStateProps {
  summary: UseQueryResult<TapeSummary>;
  onQuery: (query: string) => void;
}

/** The usual number of parts, so that little moves when the summary loads. */
const PARTS = [0, 1, 2, 3, 4, 5];

function SummaryState({ summary, onQuery }: SummaryStateProps) {
  const { data, error } = summary;
  const retry = () => void summary.refetch();
  if (summary.isPending) {
    return (
      <div className={classes.parts} role="status" aria-label="Loading the summary">
        {PARTS.map((part) => (
          <Skeleton key={part} height={112} />
        ))}
      </div>
    );
  }
  if (data === undefined) {
    // A mistake in the query is reported in its field.
    if (readQueryMistake(error) !== null)
      return <p className={`ts-hint ${classes.note}`}>Nothing to summarize.</p>;
    return (
      <div role="alert" className={`ts-row ${classes.refusal}`}>
        <span>The summary could not be loaded. {describeError(error)}</span>
        <Button size="compact-sm" variant="default" onClick={retry}>
          Try again
        </Button>
      </div>
    );
  }
  if (data.summed_count === 0)
    return <p className={`ts-hint ${classes.note}`}>No tapes to summarize.</p>;
  return (
    <>
      {error !== null && <StaleNotice message={describeError(error)} onRetry={retry} />}
      <div className={classes.parts} data-old={summary.isPlaceholderData || undefined}>
        <OutcomeCounts summary={data} note={describeSample(data)} onQuery={onQuery} />
        <Histogram
          title="Steps"
          spread={data.steps}
          format={formatExact}
          isWhole
          onQuery={onQuery}
        />
        <Histogram title="Cost" spread={data.cost} format={formatCost} onQuery={onQuery} />
        <Histogram
          title="Time worked"
          spread={data.duration}
          format={formatSeconds}
          onQuery={onQuery}
        />
        <FailurePlaces title="Failing nodes" places={data.failing_nodes} onQuery={onQuery} />
        <FailurePlaces title="Failing kinds" places={data.failing_kinds} onQuery={onQuery} />
        <FailurePlaces title="Failing tools" places={data.failing_tools} onQuery={onQuery} />
      </div>
    </>
  );
}

/** States how much of the list was summarized. */
function describeSample({ is_cut, summed_count, tape_count }: TapeSummary): string {
  if (!is_cut) return countOf(summed_count, "tape");
  if (tape_count > summed_count) {
    return `The newest ${formatExact(summed_count)} of ${countOf(tape_count, "tape")}`;
  }
  return `The newest ${countOf(summed_count, "tape")} found; there may be more`;
}
