/** Columns that lists of what a project made or does have in common. */
import { NameLink } from "@/features/training/NameLink";
import { JobStateBadge, type JobState } from "@/ui/JobStateBadge";
import { Count, RelativeTime } from "@/ui/Quantities";
import type { Column } from "@/ui/tableColumns";

export function nameColumn<Row extends { name: string }>(
  header: string,
  addressOf: (row: Row) => string,
): Column<Row> {
  return {
    id: "name",
    header,
    cell: (row) => <NameLink to={addressOf(row)} name={row.name} />,
  };
}

export const STATE_COLUMN: Column<{ state: JobState }> = {
  id: "state",
  header: "State",
  width: "min(112px, 30cqw)",
  cell: (row) => <JobStateBadge state={row.state} />,
};

export const TASKS_COLUMN: Column<{ task_count: number }> = {
  id: "tasks",
  header: "Tasks",
  width: "72px",
  align: "end",
  hideLevel: 1,
  cell: (row) => <Count value={row.task_count} />,
};

export const CREATED_COLUMN: Column<{ created_at: string }> = {
  id: "created",
  header: "Created",
  width: "96px",
  align: "end",
  hideLevel: 2,
  cell: (row) => <RelativeTime value={row.created_at} />,
};
