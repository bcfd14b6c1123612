import type { InfiniteData, UseInfiniteQueryResult } from "@tanstack/react-query";
import { useCallback, useMemo, useState } from "react";
import { useNavigate } from "react-router";

import { describeError } from "@/api/client";
import { readQueryMistake } from "@/api/tapeQueries";
import type { TapePage, TapeRow } from "@/api/types";
import type { LensState } from "@/features/tapes/lenses/useLens";
import { NoTapes } from "@/features/tapes/NoTapes";
import { nextSort, readSort, resizeColumns } from "@/features/tapes/table/look";
import { drawTable } from "@/features/tapes/table/tableColumns";
import { DEFAULT_COLUMNS, findColumn } from "@/features/tapes/table/tapeColumns";
import type { TapeListState } from "@/features/tapes/useTapeFilter";
import { isSearchCut } from "@/features/tapes/query/SearchNotice";
import { useKeys } from "@/lib/keys";
import { DataTable, type HeadControls } from "@/ui/DataTable";
import { ErrorState, RowsSkeleton, StaleNotice } from "@/ui/States";

interface TapeListProps {
  query: UseInfiniteQueryResult<InfiniteData<TapePage>>;
  rows: readonly TapeRow[];
  state: TapeListState;
  onChange: (part: Partial<TapeListState>) => void;
  lens: LensState;
  selected: ReadonlySet<string>;
  onSelect: (ids: ReadonlySet<string>) => void;
}

export function TapeList(props: TapeListProps) {
  const { query, rows, state, onChange, lens, selected, onSelect } = props;
  const navigate = useNavigate();
  const [active, setActive] = useState<string | null>(state.row === "" ? null : state.row);
  const { opensAtError } = lens.lens;
  const addressOf = useCallback(
    (row: TapeRow) =>
      opensAtError && row.error_count > 0 ? `/t/${row.id}?step=first-error` : `/t/${row.id}`,
    [opensAtError],
  );
  const open = useCallback(
    (row: TapeRow) => {
      onChange({ row: row.id });
      void navigate(addressOf(row));
    },
    [navigate, onChange, addressOf],
  );
  useRowKeys(rows, active, setActive, open, selected, onSelect);
  const table = useMemo(
    () => drawTable(lens.look, { addressOf, onOpen: open }),
    [lens.look, addressOf, open],
  );
  const head = useHead(lens);
  const loadMore = useCallback(() => void query.fetchNextPage(), [query]);

  if (query.isPending || lens.isPending) return <RowsSkeleton label="Loading tapes" />;
  if (query.isError && rows.length === 0) {
    return (
      <ErrorState
        title={
          readQueryMistake(query.error) === null
            ? "The tapes could not be loaded"
            : "The query cannot be read"
        }
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
        columns={table.columns}
        {...(table.minWidth === undefined ? {} : { minWidth: table.minWidth })}
        head={head}
        rows={rows}
        rowId={(row) => row.id}
        activeId={active}
        onRowClick={open}
        selection={{
          ids: selected,
          onChange: onSelect,
          labelOf: (id) => rows.find((row) => row.id === id)?.title ?? id,
        }}
        hasMore={query.hasNextPage && !query.isError && !isSearchCut(query.data.pages)}
        loadingMore={query.isFetchingNextPage}
        onLoadMore={loadMore}
      />
    </>
  );
}

function useHead({ look, setSort, setColumns }: LensState): HeadControls {
  return useMemo(
    () => ({
      sort: readSort(look.sort || "-created"),
      onSort: (id) => {
        const column = findColumn(id);
        if (column?.sort === undefined) return;
        setSort(nextSort(look.sort || "-created", column.sort, column.isDescendingFirst === true));
      },
      onResize: (widths) =>
        setColumns(
          resizeColumns(look.columns.length === 0 ? DEFAULT_COLUMNS : look.columns, widths),
        ),
    }),
    [look, setSort, setColumns],
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
