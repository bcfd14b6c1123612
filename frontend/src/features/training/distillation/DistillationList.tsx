import { useInfiniteQuery } from "@tanstack/react-query";
import { IconArrowsShuffle } from "@tabler/icons-react";

import { distillationsQuery } from "@/api/distillations";
import { isFinished } from "@/api/jobs";
import type { Distillation } from "@/api/types";
import { NameLink } from "@/features/training/NameLink";
import { PagedList } from "@/features/training/PagedList";
import { visibleText } from "@/lib/visibleText";
import { JobStateBadge } from "@/ui/JobStateBadge";
import { ProgressCell } from "@/ui/ProgressCell";
import { Count, RelativeTime } from "@/ui/Quantities";
import type { Column } from "@/ui/tableColumns";

const addressOf = ({ job_id: id }: Distillation) => `/training/distillations/${id}`;
const rowId = ({ job_id: id }: Distillation) => id;

export function DistillationList({ canWrite }: { canWrite: boolean }) {
  return (
    <PagedList
      label="Distillations"
      query={useInfiniteQuery(distillationsQuery())}
      columns={COLUMNS}
      rowId={rowId}
      addressOf={addressOf}
      canWrite={canWrite}
      empty={{
        title: "No distillations yet",
        icon: <IconArrowsShuffle size={24} stroke={1.5} />,
        words:
          "In a distillation, a student runs the tasks, a teacher labels every state it reaches, and the student learns from the labels, round after round.",
        action: "Start a distillation",
        to: "/training?tab=distillations&new=distillation",
      }}
    />
  );
}

const COLUMNS: Column<Distillation>[] = [
  {
    id: "name",
    header: "Distillation",
    cell: (row) => <NameLink to={addressOf(row)} name={row.name} />,
  },
  {
    id: "state",
    header: "State",
    width: "112px",
    cell: (row) => <JobStateBadge state={row.state} />,
  },
  {
    id: "rounds",
    header: "Rounds",
    width: "min(132px, 26cqw)",
    cell: (row) => <Rounds row={row} />,
  },
  {
    id: "tasks",
    header: "Tasks",
    width: "72px",
    align: "end",
    hideLevel: 1,
    cell: (row) => <Count value={row.task_count} />,
  },
  {
    id: "labels",
    header: "Labels",
    width: "80px",
    hideLevel: 3,
    align: "end",
    hint: "Teacher answers so far",
    cell: (row) => <Count value={row.labels} />,
  },
  {
    id: "base",
    header: "Base",
    width: "18%",
    hideLevel: 1,
    cell: (row) => visibleText(row.base),
  },
  {
    id: "started",
    header: "Created",
    width: "88px",
    align: "end",
    hideLevel: 2,
    cell: (row) => <RelativeTime value={row.created_at} />,
  },
];

function Rounds({ row: { name, rounds, round_count: total, state } }: { row: Distillation }) {
  const done = rounds.filter(({ adapter_id: adapter }) => adapter !== null).length;
  return <ProgressCell name={name} done={done} total={total} isOver={isFinished(state)} />;
}
