/** All tapes of one task, aligned. */
import { CloseButton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";

import { taskPathsQuery } from "@/api/batches";
import { describeError } from "@/api/client";
import type { TaskPaths } from "@/api/types";
import classes from "@/features/batches/batches.module.css";
import { PathGrid } from "@/features/batches/PathGrid";
import { visibleText } from "@/lib/visibleText";
import { ErrorState, RowsSkeleton } from "@/ui/States";

interface TaskPathSectionProps {
  ids: readonly string[];
  by: string;
  task: string;
  onClose: () => void;
}

export function TaskPathSection({ ids, by, task, onClose }: TaskPathSectionProps) {
  const paths = useQuery(taskPathsQuery(ids, by, task));
  return (
    <section className="ts-section" aria-labelledby="task-paths">
      <h2 className={`ts-row ${classes.heading}`} id="task-paths">
        {visibleText(paths.data?.rows[0]?.tape.title ?? task)}
        <CloseButton size="sm" aria-label="Close the paths" onClick={onClose} />
      </h2>
      {paths.isPending ? (
        <RowsSkeleton label="Aligning the tapes" rows={3} />
      ) : paths.data === undefined ? (
        <ErrorState
          title="The tapes could not be aligned"
          message={describeError(paths.error)}
          onRetry={() => void paths.refetch()}
        />
      ) : (
        <>
          <Notice paths={paths.data} />
          <PathGrid key={task} paths={paths.data} />
        </>
      )}
    </section>
  );
}

function Notice({ paths: { rows, tape_count, is_cut } }: { paths: TaskPaths }) {
  if (rows.length === tape_count && !is_cut) return null;
  return (
    <p className={classes.note} role="status">
      {rows.length < tape_count && `${rows.length} of ${tape_count} tapes are shown. `}
      {is_cut && "Only the first steps of the longest tapes are shown."}
    </p>
  );
}
