/** Sweeps: agents, models and adapters over the same tasks, and which of them is better. */
import { Button } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { IconPlus, IconScale } from "@tabler/icons-react";

import { isFinished } from "@/api/jobs";
import { useCanWrite } from "@/api/session";
import { sweepsQuery } from "@/api/sweeps";
import type { Sweep } from "@/api/types";
import { EvaluationTabs } from "@/features/evaluation/EvaluationTabs";
import { NewSweep } from "@/features/evaluation/NewSweep";
import { PagedList } from "@/features/training/PagedList";
import {
  CREATED_COLUMN,
  STATE_COLUMN,
  TASKS_COLUMN,
  nameColumn,
} from "@/features/training/rowColumns";
import { useAddress } from "@/lib/useAddress";
import { visibleText } from "@/lib/visibleText";
import { PageHeader } from "@/ui/PageHeader";
import { ProgressCell } from "@/ui/ProgressCell";
import type { Column } from "@/ui/tableColumns";

const addressOf = ({ job_id: id }: Sweep) => `/evaluation/${id}`;
const rowId = ({ job_id: id }: Sweep) => id;

export function EvaluationPage() {
  const [address, change] = useAddress();
  const canWrite = useCanWrite();
  const isMaking = canWrite && address.get("new") === "sweep";
  return (
    <>
      <PageHeader title="Evaluation" guide="evaluation">
        {canWrite && (
          <Button leftSection={<IconPlus size={14} />} onClick={() => change({ new: "sweep" })}>
            New sweep
          </Button>
        )}
      </PageHeader>
      <EvaluationTabs value="sweeps" />
      <PagedList
        label="Sweeps"
        query={useInfiniteQuery(sweepsQuery())}
        columns={COLUMNS}
        rowId={rowId}
        addressOf={addressOf}
        canWrite={canWrite}
        empty={{
          title: "No sweeps yet",
          icon: <IconScale size={24} stroke={1.5} />,
          words:
            "A sweep runs agents, models or adapters on the same tasks, and shows which is better, by how much and how certain that is.",
          action: "Start a sweep",
          to: "/evaluation?new=sweep",
        }}
      />
      <NewSweep
        isOpen={isMaking}
        onClose={() => change({ new: null, q: null, name: null, model: null }, { replace: true })}
      />
    </>
  );
}

const COLUMNS: Column<Sweep>[] = [
  nameColumn("Sweep", addressOf),
  STATE_COLUMN,
  {
    id: "runs",
    header: "Runs",
    width: "min(176px, 26cqw)",
    cell: ({ name, done_count: done, run_count: total, state }) => (
      <ProgressCell name={name} done={done} total={total} isOver={isFinished(state)} />
    ),
  },
  {
    id: "variants",
    header: "Variants",
    width: "38%",
    hideLevel: 1,
    cell: ({ variants }) => (
      <span className="ts-truncate">
        {variants.map(({ label }) => visibleText(label)).join(" · ")}
      </span>
    ),
  },
  TASKS_COLUMN,
  CREATED_COLUMN,
];
