import { useInfiniteQuery } from "@tanstack/react-query";
import { IconSchool } from "@tabler/icons-react";

import { studiesQuery } from "@/api/studies";
import type { Study } from "@/api/types";
import { PagedList } from "@/features/training/PagedList";
import { CREATED_COLUMN, STATE_COLUMN, nameColumn } from "@/features/training/rowColumns";
import { visibleText } from "@/lib/visibleText";
import { percent } from "@/ui/Plot";
import type { Column } from "@/ui/tableColumns";

const addressOf = ({ job_id: id }: Study) => `/training/studies/${id}`;
const rowId = ({ job_id: id }: Study) => id;

export function StudyList({ canWrite }: { canWrite: boolean }) {
  return (
    <PagedList
      label="Studies"
      query={useInfiniteQuery(studiesQuery())}
      columns={COLUMNS}
      rowId={rowId}
      addressOf={addressOf}
      canWrite={canWrite}
      empty={{
        title: "No studies yet",
        icon: <IconSchool size={24} stroke={1.5} />,
        words:
          "A study distills the form filler from nothing: a teacher talks to simulated users, a small student learns its good turns, and both are examined on companies that the student never saw.",
        action: "Start a study",
        to: "/training?tab=studies&new=study",
      }}
    />
  );
}

const COLUMNS: Column<Study>[] = [
  nameColumn("Study", addressOf),
  STATE_COLUMN,
  {
    id: "student",
    header: "Student",
    width: "88px",
    align: "end",
    hint: "Share of its turns that meet all six criteria, under the grammar",
    cell: (row) => rateOf(row, "student"),
  },
  {
    id: "teacher",
    header: "Teacher",
    width: "88px",
    align: "end",
    hideLevel: 1,
    hint: "The same of the teacher",
    cell: (row) => rateOf(row, "teacher"),
  },
  {
    id: "message",
    header: "Progress",
    width: "36%",
    hideLevel: 2,
    cell: (row) => <span className="ts-truncate ts-dimmed">{visibleText(row.message)}</span>,
  },
  CREATED_COLUMN,
];

function rateOf({ greadth }: Study, arm: string): string {
  const rate = greadth[arm];
  return rate === undefined ? "" : percent(rate);
}
