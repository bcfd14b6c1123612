/** A paged list of the training page, or what to do while it is empty. */
import { Button } from "@mantine/core";
import type { InfiniteData, UseInfiniteQueryResult } from "@tanstack/react-query";
import { useMemo, type ReactNode } from "react";
import { Link } from "react-router";

import { SampleButton } from "@/api/SampleButton";
import { Listing } from "@/features/training/Listing";
import { EmptyState } from "@/ui/States";
import type { Column, Selection } from "@/ui/tableColumns";

interface PagedListProps<Row> {
  label: string;
  query: UseInfiniteQueryResult<InfiniteData<{ items: readonly Row[] }>>;
  columns: readonly Column<Row>[];
  rowId: (row: Row) => string;
  addressOf: (row: Row) => string;
  selection?: Selection;
  empty: Empty;
  canWrite: boolean;
}

interface Empty {
  title: string;
  icon: ReactNode;
  words: string;
  /** The button that creates the first row. */
  action: string;
  to: string;
}

export function PagedList<Row>({ query, empty, canWrite, ...listing }: PagedListProps<Row>) {
  const rows = useMemo(() => query.data?.pages.flatMap(({ items }) => items), [query.data]);
  return (
    <Listing
      {...listing}
      query={query}
      rows={rows}
      empty={
        <EmptyState
          title={empty.title}
          icon={empty.icon}
          action={
            <span className="ts-row">
              {canWrite && (
                <Button component={Link} to={empty.to}>
                  {empty.action}
                </Button>
              )}
              <SampleButton />
            </span>
          }
        >
          {empty.words}
        </EmptyState>
      }
    />
  );
}
