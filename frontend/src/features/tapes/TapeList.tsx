import { Button } from "@mantine/core";
import type { InfiniteData, UseInfiniteQueryResult } from "@tanstack/react-query";
import { IconDeviceAudioTape, IconUpload } from "@tabler/icons-react";
import { useCallback, useMemo, useState } from "react";
import { Link, useNavigate } from "react-router";

import { describeError } from "@/api/client";
import type { TapePage, TapeRow } from "@/api/types";
import { tapeColumns } from "@/features/tapes/tapeColumns";
import { isFiltered, UNFILTERED, type TapeListState } from "@/features/tapes/useTapeFilter";
import { useKeys } from "@/lib/keys";
import { DataTable } from "@/ui/DataTable";
import { EmptyState, ErrorState, RowsSkeleton, StaleNotice } from "@/ui/States";

interface TapeListProps {
  query: UseInfiniteQueryResult<InfiniteData<TapePage>>;
  rows: readonly TapeRow[];
  state: TapeListState;
  onChange: (part: Partial<TapeListState>) => void;
  selected: ReadonlySet<string>;
  onSelect: (ids: ReadonlySet<string>) => void;
}

export function TapeList({ query, rows, state, onChange, selected, onSelect }: TapeListProps) {
  const navigate = useNavigate();
  const [active, setActive] = useState<string | null>(state.row === "" ? null : state.row);
  const open = useCallback(
    (row: TapeRow) => {
      onChange({ row: row.id });
      void navigate(`/t/${row.id}`);
    },
    [navigate, onChange],
  );
  useRowKeys(rows, active, setActive, open, selected, onSelect);
  const columns = useMemo(() => tapeColumns(open), [open]);
  const loadMore = useCallback(() => void query.fetchNextPage(), [query]);

  if (query.isPending) return <RowsSkeleton label="Loading tapes" />;
  if (query.isError && rows.length === 0) {
    return (
      <ErrorState
        title="The tapes could not be loaded"
        message={describeError(query.error)}
        onRetry={() => void query.refetch()}
      />
    );
  }
  if (rows.length === 0) return <NoTapes state={state} onChange={onChange} />;
  return (
    <>
      {query.isError && (
        <StaleNotice message={describeError(query.error)} onRetry={() => void query.refetch()} />
      )}
      <DataTable
        label="Tapes"
        columns={columns}
        rows={rows}
        rowId={(row) => row.id}
        activeId={active}
        onRowClick={open}
        selection={{
          ids: selected,
          onChange: onSelect,
          labelOf: (id) => rows.find((row) => row.id === id)?.title ?? id,
        }}
        hasMore={query.hasNextPage && !query.isError}
        loadingMore={query.isFetchingNextPage}
        onLoadMore={loadMore}
      />
    </>
  );
}

function useRowKeys(
  rows: readonly TapeRow[],
  active: string | null,
  setActive: (id: string) => void,
  open: (row: TapeRow) => void,
  selected: ReadonlySet<string>,
  onSelect: (ids: ReadonlySet<string>) => void,
): void {
  const bindings = useMemo(() => {
    const at = rows.findIndex((row) => row.id === active);
    const move = (by: number) => {
      const row = rows[Math.min(rows.length - 1, Math.max(0, at + by))];
      if (row !== undefined) setActive(row.id);
    };
    const current = rows[at];
    const toggle = (row: TapeRow) => {
      const next = new Set(selected);
      if (!next.delete(row.id)) next.add(row.id);
      onSelect(next);
    };
    return [
      { keys: "j", label: "Next tape", run: () => move(1) },
      { keys: "k", label: "Previous tape", run: () => move(at < 0 ? 0 : -1) },
      { keys: "Enter", label: "Open the tape", run: () => current && open(current) },
      { keys: "x", label: "Select the tape", run: () => current && toggle(current) },
    ];
  }, [rows, active, setActive, open, selected, onSelect]);
  useKeys("Tapes", bindings);
}

function NoTapes({ state, onChange }: Pick<TapeListProps, "state" | "onChange">) {
  if (state.shown !== "all" && !isFiltered({ ...state, shown: "all" })) {
    return (
      <EmptyState
        title={state.shown === "pinned" ? "No tape is pinned" : "No tape is archived"}
        icon={<IconDeviceAudioTape size={24} stroke={1.5} />}
        action={
          <Button variant="default" onClick={() => onChange(UNFILTERED)}>
            Show all tapes
          </Button>
        }
      >
        {state.shown === "pinned"
          ? "Pin a tape from its header or its row to find it here."
          : "What you archive from its header or from this list can be restored here."}
      </EmptyState>
    );
  }
  if (isFiltered(state)) {
    return (
      <EmptyState
        title="No tape fits these filters"
        icon={<IconDeviceAudioTape size={24} stroke={1.5} />}
        action={
          <Button variant="default" onClick={() => onChange(UNFILTERED)}>
            Clear the filters
          </Button>
        }
      >
        Search looks at titles and at the words of steps.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title="No tapes yet"
      icon={<IconDeviceAudioTape size={24} stroke={1.5} />}
      action={
        <>
          <Button component={Link} to="/upload" leftSection={<IconUpload size={14} />}>
            Upload tapes
          </Button>
          <Button component={Link} to="/agents" variant="default">
            Start one with an agent
          </Button>
        </>
      }
    >
      A tape is the recorded session of an agent: its thoughts, actions and what it observed.
    </EmptyState>
  );
}
