import { useInfiniteQuery } from "@tanstack/react-query";
import { IconArrowsShuffle } from "@tabler/icons-react";

import { distillationsQuery } from "@/api/distillations";
import { isFinished } from "@/api/jobs";
import type { Distillation } from "@/api/types";
import { PagedList } from "@/features/training/PagedList";
import {
  CREATED_COLUMN,
  STATE_COLUMN,
  TASKS_COLUMN,
  nameColumn,
} from "@/features/training/rowColumns";
import { visibleText } from "@/lib/visibleText";
import { ProgressCell } from "@/ui/ProgressCell";
import { Count } from "@/ui/Quantities";
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
  nameColumn("Distillation", addressOf),
  STATE_COLUMN,
  {
    id: "rounds",
    header: "Rounds",
    width: "min(132px, 26cqw)",
    cell: (row) => <Rounds row={row} />,
  },
  TASKS_COLUMN,
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
  CREATED_COLUMN,
];

function Rounds({ row: { name, rounds, round_count: total, state } }: { row: Distillation }) {
  const done = rounds.filter(({ adapter_id: adapter }) => adapter !== null).length;
  return <ProgressCell name={name} done={done} total={total} isOver={isFinished(state)} />;
}
