/** All datasets with their totals; each opens the list of its tapes. */
import { Button } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { IconDatabase, IconFileUpload, IconPlus } from "@tabler/icons-react";
import { useMemo, useState } from "react";
import { Link, useNavigate } from "react-router";

import { describeError } from "@/api/client";
import { datasetsQuery, useDeleteDataset } from "@/api/datasets";
import { rowsOf } from "@/api/pages";
import { useCanWrite } from "@/api/session";
import type { Dataset } from "@/api/types";
import { datasetColumns } from "@/features/datasets/datasetColumns";
import { DatasetDrawer } from "@/features/datasets/DatasetDrawer";
import { countOf } from "@/lib/format";
import { useKeys } from "@/lib/keys";
import { DataTable } from "@/ui/DataTable";
import { PageHeader } from "@/ui/PageHeader";
import { EmptyState, ErrorState, RowsSkeleton, StaleNotice } from "@/ui/States";

/** The content of the drawer: a dataset, a new one, or nothing. */
type Edited = Dataset | "new" | null;

export function DatasetsPage() {
  const datasets = useInfiniteQuery(datasetsQuery());
  const canWrite = useCanWrite();
  const [edited, setEdited] = useState<Edited>(null);
  const rows = useMemo(() => rowsOf(datasets.data), [datasets.data]);
  const retry = () => void datasets.refetch();
  const more = datasets.hasNextPage ? " loaded, more below" : "";
  return (
    <>
      <PageHeader
        title="Datasets"
        guide="datasets"
        note={datasets.isSuccess && `${countOf(rows.length, "dataset")}${more}`}
      >
        {canWrite && (
          <>
            <Button
              component={Link}
              variant="default"
              leftSection={<IconFileUpload size={14} />}
              to="/datasets/import"
            >
              Examples from a file
            </Button>
            <Button leftSection={<IconPlus size={14} />} onClick={() => setEdited("new")}>
              Create a dataset
            </Button>
          </>
        )}
      </PageHeader>
      {datasets.isPending ? (
        <RowsSkeleton label="Loading datasets" rows={6} />
      ) : datasets.data === undefined ? (
        <ErrorState
          title="The datasets could not be loaded"
          message={describeError(datasets.error)}
          onRetry={retry}
        />
      ) : (
        <>
          {datasets.isError && (
            <StaleNotice message={describeError(datasets.error)} onRetry={retry} />
          )}
          {rows.length === 0 ? (
            <NoDataset />
          ) : (
            <DatasetList
              rows={rows}
              canWrite={canWrite}
              onEdit={setEdited}
              hasMore={datasets.hasNextPage}
              loadingMore={datasets.isFetchingNextPage}
              onLoadMore={() => void datasets.fetchNextPage()}
            />
          )}
        </>
      )}
      <DatasetDrawer
        dataset={edited === "new" ? null : edited}
        isOpen={edited !== null}
        onClose={() => setEdited(null)}
      />
    </>
  );
}

interface DatasetListProps {
  rows: readonly Dataset[];
  canWrite: boolean;
  onEdit: (dataset: Dataset) => void;
  hasMore: boolean;
  loadingMore: boolean;
  onLoadMore: () => void;
}

function DatasetList({ rows, canWrite, onEdit, ...paging }: DatasetListProps) {
  const navigate = useNavigate();
  const { mutate: remove } = useDeleteDataset();
  const [active, setActive] = useState<string | null>(null);
  const columns = useMemo(
    () => datasetColumns(canWrite ? { onEdit, onDelete: remove } : null),
    [canWrite, onEdit, remove],
  );
  const bindings = useMemo(() => {
    const at = rows.findIndex(({ id }) => id === active);
    const move = (to: number) => setActive(rows[to]?.id ?? active);
    const open = () => {
      const row = rows[at];
      if (row !== undefined) void navigate(`/datasets/${row.id}`);
    };
    return [
      { keys: "j", label: "Next dataset", run: () => move(Math.min(rows.length - 1, at + 1)) },
      { keys: "k", label: "Previous dataset", run: () => move(Math.max(0, at - 1)) },
      { keys: "Enter", label: "Open the dataset", run: open },
    ];
  }, [rows, active, navigate]);
  useKeys("Datasets", bindings);
  return (
    <DataTable
      label="Datasets"
      columns={columns}
      rows={rows}
      rowId={({ id }) => id}
      activeId={active}
      onRowClick={({ id }) => void navigate(`/datasets/${id}`)}
      {...paging}
    />
  );
}

function NoDataset() {
  return (
    <EmptyState
      title="No datasets yet"
      icon={<IconDatabase size={24} stroke={1.5} />}
      action={
        <Button component={Link} to="/tapes">
          Choose tapes
        </Button>
      }
    >
      A dataset is a collection of tapes for training or evaluation. Select tapes in the list and
      choose “Add to dataset”, or import examples from a file.
    </EmptyState>
  );
}
