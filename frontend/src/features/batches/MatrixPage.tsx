/** Several batches by metric against a baseline, their tasks, and the aligned tapes of one task. */
import { useQuery } from "@tanstack/react-query";
import { IconTable } from "@tabler/icons-react";
import { useMemo } from "react";

import { batchMatrixQuery } from "@/api/batches";
import { describeError } from "@/api/client";
import { MatrixTable } from "@/features/batches/MatrixTable";
import { PairKeyInput } from "@/features/batches/PairKeyInput";
import { TaskPathSection } from "@/features/batches/TaskPathSection";
import { TaskTable } from "@/features/batches/TaskTable";
import { countOf } from "@/lib/format";
import { useAddress } from "@/lib/useAddress";
import { PageHeader } from "@/ui/PageHeader";
import { EmptyState, ErrorState, RowsSkeleton } from "@/ui/States";

export function MatrixPage() {
  const [params, change] = useAddress();
  const named = params.get("ids") ?? "";
  const ids = useMemo(() => named.split(",").filter((id) => id !== ""), [named]);
  const by = params.get("by") ?? "task";
  const task = params.get("task");
  const matrix = useQuery({
    ...batchMatrixQuery(ids, by, params.get("baseline") ?? ""),
    enabled: ids.length > 0,
  });
  return (
    <>
      <PageHeader
        title="Batch matrix"
        guide="batches"
        note={countOf(ids.length, "batch", "batches")}
      >
        <PairKeyInput key={by} value={by} onChange={(next) => change({ by: next, task: null })} />
      </PageHeader>
      {ids.length === 0 ? (
        <EmptyState title="No batches to compare" icon={<IconTable size={24} stroke={1.5} />}>
          Select batches on the Batches page, then choose Matrix.
        </EmptyState>
      ) : matrix.isPending ? (
        <RowsSkeleton label="Comparing the batches" />
      ) : matrix.data === undefined || matrix.isError ? (
        <ErrorState
          title="The batches could not be compared"
          message={describeError(matrix.error)}
          onRetry={() => void matrix.refetch()}
        />
      ) : (
        <div className="ts-page">
          <MatrixTable
            matrix={matrix.data}
            onBaseline={(baseline) => change({ baseline }, { replace: true })}
          />
          {task !== null && (
            <TaskPathSection ids={ids} by={by} task={task} onClose={() => change({ task: null })} />
          )}
          <TaskTable matrix={matrix.data} task={task} onTask={(key) => change({ task: key })} />
        </div>
      )}
    </>
  );
}
