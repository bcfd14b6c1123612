import type { InfiniteData, UseInfiniteQueryResult } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import { useNavigate } from "react-router";

import { describeError } from "@/api/client";
import { useCanWrite } from "@/api/session";
import { readQueryMistake } from "@/api/tapeQueries";
import type { TapePage, TapeRow } from "@/api/types";
import { useTapeMarks } from "@/api/useTapeMarks";
import type { LensState } from "@/features/tapes/lenses/useLens";
import { NoTapes } from "@/features/tapes/NoTapes";
import type { MarkedRow } from "@/features/tapes/peek/useMarkedRow";
import { useRowKeys } from "@/features/tapes/peek/useRowKeys";
import { nextSort, readSort, resizeColumns } from "@/features/tapes/table/look";
import { drawTable } from "@/features/tapes/table/tableColumns";
import { DEFAULT_COLUMNS, findColumn } from "@/features/tapes/table/tapeColumns";
import type { TapeListState } from "@/features/tapes/useTapeFilter";
import { isSearchCut } from "@/features/tapes/query/SearchNotice";
import { DataTable } from "@/ui/DataTable";
import type { HeadControls } from "@/ui/tableColumns";
import { ErrorState, RowsSkeleton, StaleNotice } from "@/ui/States";

interface TapeListProps {
  query: UseInfiniteQueryResult<InfiniteData<TapePage>>;
  rows: readonly TapeRow[];
  state: TapeListState;
  onChange: (part: Partial<TapeListState>) => void;
  lens: LensState;
  addressOf: (row: TapeRow) => string;
  marked: MarkedRow;
  selected: ReadonlySet<string>;
  onSelect: (ids: ReadonlySet<string>) => void;
}

export function TapeList(props: TapeListProps) {
  const { query, rows, state, onChange, lens, addressOf, marked, selected, onSelect } = props;
  const navigate = useNavigate();
  const open = useCallback(
    (row: TapeRow) => {
      onChange({ row: row.id });
      void navigate(addressOf(row));
    },
    [navigate, onChange, addressOf],
  );
  const toggle = useCallback(
    ({ id }: TapeRow) => {
      const next = new Set(selected);
      if (!next.delete(id)) next.add(id);
      onSelect(next);
    },
    [selected, onSelect],
  );
  const canWrite = useCanWrite();
  const { judge } = useTapeMarks();
  useRowKeys(rows, {
    marked,
    onOpen: open,
    onToggle: toggle,
    onJudge: canWrite ? judge : null,
  });
  const table = useMemo(
    () => drawTable(lens.look, { addressOf, onOpen: open }),
    [lens.look, addressOf, open],
  );
  const head = useHead(lens);
  const loadMore = useCallback(() => void query.fetchNextPage(), [query]);

  if (query.isPending || lens.isPending) return <RowsSkeleton label="Loading tapes" />;
  const isMistake = readQueryMistake(query.error) !== null;
  if (query.isError && rows.length === 0) {
    return (
      <ErrorState
        title={isMistake ? "The query is invalid" : "The tapes could not be loaded"}
        message={describeError(query.error)}
        {...(isMistake ? {} : { onRetry: () => void query.refetch() })}
      />
    );
  }
  if (rows.length === 0) return <NoTapes state={state} onChange={onChange} />;
  return (
    <>
      {query.isError && !isMistake && (
        <StaleNotice message={describeError(query.error)} onRetry={() => void query.refetch()} />
      )}
      <DataTable
        label="Tapes"
        columns={table.columns}
        {...(table.minWidth === undefined ? {} : { minWidth: table.minWidth })}
        head={head}
        isOutdated={isMistake}
        rows={rows}
        rowId={(row) => row.id}
        activeId={marked.id}
        // The title link still opens the tape.
        onRowClick={marked.isPeeked ? ({ id }) => marked.mark(id) : open}
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
