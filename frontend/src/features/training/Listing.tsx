/** A table of the training page in its four states: loading, failed, empty, filled. */
import type { ReactNode } from "react";
import { useNavigate } from "react-router";
import { useMemo, useState } from "react";

import { describeError } from "@/api/client";
import { useKeys } from "@/lib/keys";
import { DataTable } from "@/ui/DataTable";
import { ErrorState, RowsSkeleton, StaleNotice } from "@/ui/States";
import type { Column, Selection } from "@/ui/tableColumns";

/** The part of a query that the table uses, paged or not. */
interface Loading {
  isPending: boolean;
  isError: boolean;
  error: unknown;
  refetch: () => unknown;
  hasNextPage?: boolean;
  isFetchingNextPage?: boolean;
  fetchNextPage?: () => unknown;
}

interface ListingProps<Row> {
  /** "Finetunes"; lowercased inside sentences. */
  label: string;
  query: Loading;
  /** `undefined`: nothing has loaded yet. */
  rows: readonly Row[] | undefined;
  columns: readonly Column<Row>[];
  rowId: (row: Row) => string;
  /** The address that a row opens; omitted if rows open nothing. */
  addressOf?: (row: Row) => string;
  /** Makes rows selectable by check boxes; omitted if they are not. */
  selection?: Selection;
  /** Shown in place of a table without rows. */
  empty: ReactNode;
}

export function Listing<Row>(props: ListingProps<Row>) {
  const { label, query, rows, empty } = props;
  const retry = () => void query.refetch();
  if (rows === undefined) {
    if (query.isPending) return <RowsSkeleton label={`Loading ${label.toLowerCase()}`} rows={6} />;
    return (
      <ErrorState
        title={`The ${label.toLowerCase()} could not be loaded`}
        message={describeError(query.error)}
        onRetry={retry}
      />
    );
  }
  return (
    <>
      {query.isError && <StaleNotice message={describeError(query.error)} onRetry={retry} />}
      {rows.length === 0 ? empty : <Table {...props} rows={rows} />}
    </>
  );
}

function Table<Row>(props: ListingProps<Row> & { rows: readonly Row[] }) {
  const { label, query, rows, rowId, addressOf } = props;
  const navigate = useNavigate();
  const [active, setActive] = useState<string | null>(null);
  const bindings = useMemo(() => {
    const at = rows.findIndex((row) => rowId(row) === active);
    const move = (to: number) => {
      const row = rows[to];
      if (row !== undefined) setActive(rowId(row));
    };
    const open = () => {
      const row = rows[at];
      if (row !== undefined && addressOf !== undefined) void navigate(addressOf(row));
    };
    return [
      { keys: "j", label: "Next row", run: () => move(Math.min(rows.length - 1, at + 1)) },
      { keys: "k", label: "Previous row", run: () => move(Math.max(0, at - 1)) },
      { keys: "Enter", label: "Open the row", run: open },
    ];
  }, [rows, rowId, addressOf, active, navigate]);
  useKeys(label, bindings);
  return (
    <DataTable
      label={label}
      columns={props.columns}
      rows={rows}
      rowId={rowId}
      activeId={active}
      {...(props.selection !== undefined && { selection: props.selection })}
      {...(addressOf !== undefined && {
        onRowClick: (row: Row) => void navigate(addressOf(row)),
      })}
      hasMore={query.hasNextPage ?? false}
      loadingMore={query.isFetchingNextPage ?? false}
      onLoadMore={() => void query.fetchNextPage?.()}
    />
  );
}
