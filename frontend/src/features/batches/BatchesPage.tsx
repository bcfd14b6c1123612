/** All batches with their results; two can be compared, more are shown in a matrix. */
import { Button } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { IconArrowsDiff, IconStack2, IconTable, IconUpload } from "@tabler/icons-react";
import { useMemo, useState } from "react";
import { Link, useNavigate } from "react-router";

import { ForWriters } from "@/api/ForWriters";
import { SampleButton } from "@/api/SampleButton";
import { batchSummariesQuery } from "@/api/batches";
import { describeError } from "@/api/client";
import { rowsOf } from "@/api/pages";
import type { BatchSummary } from "@/api/types";
import classes from "@/features/batches/batches.module.css";
import { batchColumns } from "@/features/batches/batchColumns";
import { SearchMenu } from "@/features/batches/SearchMenu";
import { countOf } from "@/lib/format";
import { useKeys } from "@/lib/keys";
import { visibleText } from "@/lib/visibleText";
import { DataTable } from "@/ui/DataTable";
import { PageHeader } from "@/ui/PageHeader";
import { EmptyState, ErrorState, RowsSkeleton, StaleNotice } from "@/ui/States";
import { flip } from "@/ui/useCheckRange";

const NONE: ReadonlySet<string> = new Set();
const MOST = 12;

export function BatchesPage() {
  const batches = useInfiniteQuery(batchSummariesQuery());
  const [selected, setSelected] = useState(NONE);
  const rows = useMemo(() => rowsOf(batches.data), [batches.data]);
  const more = batches.hasNextPage ? " loaded, more below" : "";
  return (
    <>
      <PageHeader
        title="Batches"
        guide="batches"
        note={batches.isSuccess && `${countOf(rows.length, "batch", "batches")}${more}`}
      >
        <CompareButtons rows={rows} selected={selected} onSelect={setSelected} />
      </PageHeader>
      {batches.isPending ? (
        <RowsSkeleton label="Loading batches" rows={6} />
      ) : batches.data === undefined ? (
        <ErrorState
          title="The batches could not be loaded"
          message={describeError(batches.error)}
          onRetry={() => void batches.refetch()}
        />
      ) : (
        <>
          {batches.isError && (
            <StaleNotice
              message={describeError(batches.error)}
              onRetry={() => void batches.refetch()}
            />
          )}
          <BatchList
            rows={rows}
            selected={selected}
            onSelect={setSelected}
            hasMore={batches.hasNextPage}
            loadingMore={batches.isFetchingNextPage}
            onLoadMore={() => void batches.fetchNextPage()}
          />
        </>
      )}
    </>
  );
}

interface CompareButtonsProps {
  rows: readonly BatchSummary[];
  selected: ReadonlySet<string>;
  onSelect: (ids: ReadonlySet<string>) => void;
}

/** The older batch is on the left, as the baseline for the newer one. Searches come last. */
function CompareButtons({ rows, selected, onSelect }: CompareButtonsProps) {
  const navigate = useNavigate();
  const batches = rows.filter(({ id }) => selected.has(id)).map(({ id }) => id);
  batches.reverse();
  const ids = [...batches, ...[...selected].filter((id) => !batches.includes(id))];
  return (
    <>
      <span className={classes.hint} data-idle={ids.length === 0 || undefined}>
        {ids.length > MOST
          ? `Select ${MOST} at most`
          : ids.length === 0
            ? "Select two or more to compare"
            : `${ids.length} selected`}
      </span>
      <SearchMenu selected={selected} onToggle={(flipped) => onSelect(flip(selected, flipped))} />
      <Button
        variant="default"
        leftSection={<IconArrowsDiff size={14} />}
        disabled={ids.length !== 2}
        onClick={() => void navigate(`/batches/compare?a=${ids[0]}&b=${ids[1]}`)}
      >
        Compare
      </Button>
      <Button
        variant="default"
        leftSection={<IconTable size={14} />}
        disabled={ids.length < 2 || ids.length > MOST}
        onClick={() => void navigate(`/batches/matrix?ids=${ids.join(",")}`)}
      >
        Matrix
      </Button>
    </>
  );
}

interface BatchListProps {
  rows: readonly BatchSummary[];
  selected: ReadonlySet<string>;
  onSelect: (ids: ReadonlySet<string>) => void;
  hasMore: boolean;
  loadingMore: boolean;
  onLoadMore: () => void;
}

function BatchList({ rows, selected, onSelect, ...paging }: BatchListProps) {
  const navigate = useNavigate();
  const [active, setActive] = useState<string | null>(null);
  const bindings = useMemo(() => {
    const at = rows.findIndex(({ id }) => id === active);
    const move = (to: number) => setActive(rows[to]?.id ?? active);
    const toggle = () => {
      if (active !== null) onSelect(flip(selected, [active]));
    };
    return [
      { keys: "j", label: "Next batch", run: () => move(Math.min(rows.length - 1, at + 1)) },
      { keys: "k", label: "Previous batch", run: () => move(Math.max(0, at - 1)) },
      { keys: "x", label: "Select the batch", run: toggle },
      {
        keys: "Enter",
        label: "Open the tapes of the batch",
        run: () => active !== null && void navigate(`/tapes?batch=${active}`),
      },
    ];
  }, [rows, active, selected, onSelect, navigate]);
  useKeys("Batches", bindings);
  if (rows.length === 0) {
    return (
      <EmptyState
        title="No batches yet"
        icon={<IconStack2 size={24} stroke={1.5} />}
        action={
          <span className="ts-row">
            <ForWriters>
              <Button component={Link} to="/upload" leftSection={<IconUpload size={14} />}>
                Upload
              </Button>
            </ForWriters>
            <SampleButton />
          </span>
        }
      >
        Tapes imported together form a batch. Import two batches to compare their results.
      </EmptyState>
    );
  }
  return (
    <DataTable
      label="Batches"
      columns={COLUMNS}
      rows={rows}
      rowId={({ id }) => id}
      activeId={active}
      onRowClick={({ id }) => void navigate(`/tapes?batch=${id}`)}
      selection={{
        ids: selected,
        onChange: onSelect,
        labelOf: (id) => visibleText(rows.find((row) => row.id === id)?.name ?? id),
      }}
      {...paging}
    />
  );
}

const COLUMNS = batchColumns();
