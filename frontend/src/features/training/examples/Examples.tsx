/** The examples of a set: the list, and the open one next to it. */
import { useInfiniteQuery } from "@tanstack/react-query";
import { useMemo } from "react";

import { describeError } from "@/api/client";
import { rowsOf } from "@/api/pages";
import { examplesQuery } from "@/api/trainingExamples";
import type { ExampleRow, TrainingSet } from "@/api/types";
import { ExampleFilters, readWanted } from "@/features/training/examples/ExampleFilters";
import { ExamplePane } from "@/features/training/examples/ExamplePane";
import classes from "@/features/training/examples/examples.module.css";
import { OriginLink } from "@/features/training/OriginLink";
import { countOf, formatExact } from "@/lib/format";
import { useKeys } from "@/lib/keys";
import { useAddress } from "@/lib/useAddress";
import { visibleText } from "@/lib/visibleText";
import { DataTable } from "@/ui/DataTable";
import { ErrorState, RowsSkeleton, StaleNotice } from "@/ui/States";
import type { Column } from "@/ui/tableColumns";

export function Examples({ set }: { set: TrainingSet }) {
  const [address, change] = useAddress();
  const examples = useInfiniteQuery(examplesQuery(set.id, readWanted(address)));
  const rows = useMemo(() => rowsOf(examples.data), [examples.data]);
  const looked = address.get("example");
  const bindings = useMemo(() => {
    const at = rows.findIndex(({ id }) => id === looked);
    const move = (by: 1 | -1) => {
      const row = rows[Math.max(0, at + by)];
      if (row !== undefined) change({ example: row.id }, { replace: looked !== null });
    };
    return {
      move,
      keys: [
        { keys: "j", label: "Next example", run: () => move(1) },
        { keys: "k", label: "Previous example", run: () => move(-1) },
        {
          keys: "Escape",
          label: "Close the example",
          isMove: true,
          run: () => change({ example: null }, { replace: true }),
        },
      ],
    };
  }, [rows, looked, change]);
  useKeys("Examples", bindings.keys);
  const total = examples.data?.pages[0]?.total ?? 0;
  return (
    <div className={classes.split} data-open={looked !== null || undefined}>
      <section className={`ts-column ${classes.list}`} aria-label="Examples">
        <ExampleFilters />
        <p className={`ts-hint ts-number ${classes.count}`} role="status">
          {examples.isSuccess && countOf(total, "example")}
        </p>
        {examples.isPending && <RowsSkeleton label="Loading examples" rows={8} />}
        {examples.isError &&
          (rows.length > 0 ? (
            <StaleNotice
              message={describeError(examples.error)}
              onRetry={() => void examples.refetch()}
            />
          ) : (
            <ErrorState
              title="The examples could not be loaded"
              message={describeError(examples.error)}
              onRetry={() => void examples.refetch()}
            />
          ))}
        {examples.isSuccess && rows.length === 0 && <Nothing />}
        {rows.length > 0 && (
          <DataTable
            label="Examples"
            columns={COLUMNS}
            rows={rows}
            rowId={({ id }) => id}
            activeId={looked}
            onRowClick={({ id }) => change({ example: id }, { replace: looked !== null })}
            hasMore={examples.hasNextPage}
            loadingMore={examples.isFetchingNextPage}
            onLoadMore={() => void examples.fetchNextPage()}
          />
        )}
      </section>
      {looked !== null && (
        <ExamplePane
          setId={set.id}
          exampleId={looked}
          onMove={bindings.move}
          onClose={() => change({ example: null }, { replace: true })}
        />
      )}
    </div>
  );
}

function Nothing() {
  const [address] = useAddress();
  const wanted = readWanted(address);
  const isFiltered = Object.keys(wanted).length > 1;
  return (
    <p className={`ts-dimmed ${classes.nothing}`}>
      {isFiltered
        ? "No example matches."
        : "No example is held out, so only the training loss is measured."}
    </p>
  );
}

function Shown({ row }: { row: ExampleRow }) {
  const [, change] = useAddress();
  const text = visibleText(row.asked) || "Nothing";
  return (
    <button
      type="button"
      className={`ts-truncate ${classes.asked}`}
      title={text}
      onClick={() => change({ example: row.id })}
    >
      {text}
    </button>
  );
}

const COLUMNS: Column<ExampleRow>[] = [
  {
    id: "number",
    header: "#",
    width: "52px",
    align: "end",
    cell: ({ number }) => <span className="ts-number ts-dimmed">{formatExact(number + 1)}</span>,
  },
  { id: "asked", header: "Asked", cell: (row) => <Shown row={row} /> },
  {
    id: "answered",
    header: "Answer",
    hint: "What is trained on",
    cell: ({ answered }) => (
      <span className="ts-truncate" title={visibleText(answered)}>
        {visibleText(answered) || "–"}
      </span>
    ),
  },
  {
    id: "origin",
    header: "Source",
    width: "180px",
    hideLevel: 2,
    cell: (row) => <OriginLink origin={row} />,
  },
  {
    id: "writer",
    header: "Written by",
    width: "96px",
    hideLevel: 2,
    cell: ({ writer }) => (writer === "person" ? "Person" : writer === "model" ? "Model" : "–"),
  },
  {
    id: "length",
    header: "Length",
    width: "76px",
    hideLevel: 3,
    align: "end",
    hint: "Characters of prompt and answer",
    cell: ({ length }) => <span className="ts-number">{formatExact(length)}</span>,
  },
];
