/** Suites: named collections of regression tests, with the result of the newest run of each. */
import { useInfiniteQuery } from "@tanstack/react-query";
import { IconTestPipe } from "@tabler/icons-react";

import { useCanWrite } from "@/api/session";
import { suitesQuery } from "@/api/suites";
import type { Suite } from "@/api/types";
import { EvaluationTabs } from "@/features/evaluation/EvaluationTabs";
import { RunCounts } from "@/features/evaluation/RunCounts";
import { PagedList } from "@/features/training/PagedList";
import { nameColumn } from "@/features/training/rowColumns";
import { visibleText } from "@/lib/visibleText";
import { PageHeader } from "@/ui/PageHeader";
import { Count, RelativeTime } from "@/ui/Quantities";
import type { Column } from "@/ui/tableColumns";

const addressOf = ({ id }: Suite) => `/evaluation/suites/${id}`;
const rowId = ({ id }: Suite) => id;

export function SuitesPage() {
  return (
    <>
      <PageHeader
        title="Evaluation"
        guide="evaluation#regression-tests-and-suites-what-must-not-break-again"
      />
      <EvaluationTabs value="suites" />
      <PagedList
        label="Suites"
        query={useInfiniteQuery(suitesQuery())}
        columns={COLUMNS}
        rowId={rowId}
        addressOf={addressOf}
        canWrite={useCanWrite()}
        empty={{
          title: "No suites yet",
          icon: <IconTestPipe size={24} stroke={1.5} />,
          words:
            "A suite is a dataset of regression tests. Open a tape that failed, and choose Regression test in its menu (X): its beginning is frozen, and each run asks the agent for a better end.",
          action: "Show tapes that failed",
          to: "/tapes?q=outcome:fail",
        }}
      />
    </>
  );
}

const COLUMNS: Column<Suite>[] = [
  nameColumn("Suite", addressOf),
  {
    id: "tests",
    header: "Tests",
    width: "72px",
    hideLevel: 3,
    align: "end",
    cell: ({ test_count: tests, task_count: tasks }) => <Count value={tests + tasks} />,
  },
  {
    id: "last",
    header: "Newest run",
    width: "min(264px, 45cqw)",
    cell: ({ last_run: run }) =>
      run === null ? <span className="ts-dimmed">not run yet</span> : <RunCounts run={run} />,
  },
  {
    id: "agent",
    header: "By",
    width: "20%",
    hideLevel: 1,
    cell: ({ last_run: run }) => (
      <span className="ts-truncate">{run === null ? "" : visibleText(run.agent)}</span>
    ),
  },
  {
    id: "when",
    header: "Run",
    width: "88px",
    align: "end",
    hideLevel: 2,
    cell: ({ last_run: run }) => run !== null && <RelativeTime value={run.created_at} />,
  },
];
