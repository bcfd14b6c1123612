/** The experiments of a tape, newest first. */
import { ActionIcon, Button } from "@mantine/core";
import { IconArrowLeft, IconVersions } from "@tabler/icons-react";
import type { UseQueryResult } from "@tanstack/react-query";

import { describeError } from "@/api/client";
import type { ExperimentRow } from "@/api/types";
import classes from "@/features/tape-editor/run-n/panel.module.css";
import type { RunN } from "@/features/tape-editor/run-n/useRunN";
import { countOf } from "@/lib/format";
import { visibleText } from "@/lib/visibleText";
import { RelativeTime } from "@/ui/Quantities";
import { EmptyState, ErrorState, RowsSkeleton, StaleNotice } from "@/ui/States";

interface ExperimentListProps {
  runN: RunN;
  query: UseQueryResult<ExperimentRow[]>;
}

export function ExperimentList({ runN, query }: ExperimentListProps) {
  return (
    <>
      <header className={`ts-row ${classes.bar}`}>
        <ActionIcon aria-label="Back to the tape" onClick={runN.close}>
          <IconArrowLeft size={16} stroke={1.75} />
        </ActionIcon>
        <h2 className={classes.title}>Experiments of this tape</h2>
        <div className={classes.actions}>
          <Button variant="default" leftSection={<IconVersions size={14} />} onClick={runN.ask}>
            New
          </Button>
        </div>
      </header>
      <div className={`ts-scroll ${classes.scroller}`}>
        <Body runN={runN} query={query} />
      </div>
    </>
  );
}

function Body({ runN, query }: ExperimentListProps) {
  if (query.isPending) return <RowsSkeleton label="Loading the experiments" rows={4} />;
  if (query.data === undefined) {
    return (
      <ErrorState
        title="The experiments could not be loaded"
        message={describeError(query.error)}
        onRetry={() => void query.refetch()}
      />
    );
  }
  if (query.data.length === 0) {
    return (
      <EmptyState
        title="No experiments yet"
        action={
          <Button leftSection={<IconVersions size={14} />} onClick={runN.ask}>
            Run N times
          </Button>
        }
      >
        Run this tape many times from one step, with and without an edit, on several models, and
        compare the results.
      </EmptyState>
    );
  }
  return (
    <>
      {query.isError && (
        <StaleNotice message={describeError(query.error)} onRetry={() => void query.refetch()} />
      )}
      <ul>
        {query.data.map((row) => (
          <li key={row.id}>
            <button type="button" className={classes.item} onClick={() => runN.open(row.id)}>
              <span className={classes.itemTitle}>
                {row.name === ""
                  ? countOf(row.branch_count, "branch", "branches")
                  : visibleText(row.name)}
                {row.revision_id !== null && ", with an edit"}
              </span>
              <span className={classes.dim}>{describe(row)}</span>
              <RelativeTime value={row.created_at} />
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}

function describe(row: ExperimentRow): string {
  if (row.unfinished_count > 0) return `${row.branch_count - row.unfinished_count} done`;
  if (row.stopped_reason !== "") return visibleText(row.stopped_reason);
  return row.judged_count === 0 ? "not judged" : `${row.passed_count} of ${row.judged_count} pass`;
}
