import { Button } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { IconSchool } from "@tabler/icons-react";
import { useMemo, useState } from "react";
import { Link } from "react-router";

import { isFinished } from "@/api/jobs";
import { rowsOf } from "@/api/pages";
import { finetunesQuery, trainingSetsQuery } from "@/api/training";
import type { Finetune } from "@/api/types";
import { compareAddress, MOST_COMPARED } from "@/features/training/comparison";
import { NameLink } from "@/features/training/NameLink";
import { PagedList } from "@/features/training/PagedList";
import { CREATED_COLUMN, STATE_COLUMN, nameColumn } from "@/features/training/rowColumns";
import classes from "@/features/training/training.module.css";
import { countOf, formatScore } from "@/lib/format";
import { timeLeft } from "@/lib/timeLeft";
import { visibleText } from "@/lib/visibleText";
import { ProgressCell } from "@/ui/ProgressCell";
import { useNow } from "@/ui/Quantities";
import type { Column } from "@/ui/tableColumns";

const addressOf = ({ job_id: id }: Finetune) => `/training/${id}`;
const rowId = ({ job_id: id }: Finetune) => id;

export function FinetuneList({ canWrite }: { canWrite: boolean }) {
  const sets = useInfiniteQuery(trainingSetsQuery());
  const [compared, setCompared] = useState<ReadonlySet<string>>(NONE);
  const finetunes = useInfiniteQuery(finetunesQuery());
  const columns = useMemo(() => {
    const names = new Map(rowsOf(sets.data).map(({ id, name }) => [id, name]));
    return finetuneColumns((row) => names.get(row.training_set_id) ?? "Training set");
  }, [sets.data]);
  const named = new Map(rowsOf(finetunes.data).map((row) => [rowId(row), row.name]));
  return (
    <>
      {compared.size > 0 && <CompareBar ids={[...compared]} onClear={() => setCompared(NONE)} />}
      <PagedList
        label="Finetunes"
        query={finetunes}
        columns={columns}
        rowId={rowId}
        addressOf={addressOf}
        canWrite={canWrite}
        selection={{
          ids: compared,
          onChange: setCompared,
          labelOf: (id) => visibleText(named.get(id) ?? id),
        }}
        empty={{
          title: "No finetunes yet",
          icon: <IconSchool size={24} stroke={1.5} />,
          words:
            "A finetune teaches a base model the examples of a training set. The result is an adapter.",
          action: "Start a finetune",
          to: "/training?new=finetune",
        }}
      />
    </>
  );
}

const NONE: ReadonlySet<string> = new Set();

function CompareBar({ ids, onClear }: { ids: readonly string[]; onClear: () => void }) {
  const isMany = ids.length > MOST_COMPARED;
  const problem = isMany
    ? `At most ${MOST_COMPARED} are compared.`
    : ids.length === 1
      ? "Choose another finetune to compare it with."
      : "";
  return (
    <div className={`ts-row ${classes.making}`} role="toolbar" aria-label="Chosen finetunes">
      <span className="ts-number">{countOf(ids.length, "finetune")} chosen</span>
      {problem === "" ? (
        <Button component={Link} to={compareAddress(ids)}>
          Compare
        </Button>
      ) : (
        <span className="ts-dimmed">{problem}</span>
      )}
      <Button variant="default" ml="auto" onClick={onClear}>
        Clear
      </Button>
    </div>
  );
}

function finetuneColumns(setNameOf: (row: Finetune) => string): Column<Finetune>[] {
  return [
    nameColumn("Finetune", addressOf),
    STATE_COLUMN,
    {
      id: "progress",
      header: "Progress",
      width: "min(220px, 22cqw)",
      cell: (row) => <Going row={row} />,
    },
    {
      id: "loss",
      header: "Last loss",
      width: "96px",
      hideLevel: 3,
      align: "end",
      hint: "At the last step, in nats per trained token",
      cell: ({ loss }) => <span className="ts-number">{formatScore(loss)}</span>,
    },
    {
      id: "base",
      header: "Base",
      width: "14%",
      hideLevel: 1,
      cell: (row) => visibleText(row.base),
    },
    {
      id: "set",
      header: "Training set",
      width: "16%",
      hideLevel: 1,
      cell: (row) => (
        <NameLink to={`/training/sets/${row.training_set_id}`} name={setNameOf(row)} />
      ),
    },
    {
      id: "adapter",
      header: "Adapter",
      width: "80px",
      hideLevel: 2,
      cell: (row) =>
        row.adapter_id === null ? "–" : <Link to="/training?tab=adapters">Adapter</Link>,
    },
    CREATED_COLUMN,
  ];
}

function Going({ row }: { row: Finetune }) {
  const now = useNow(1000);
  const { step, steps, name, state } = row;
  if (steps === null)
    return <span className="ts-truncate ts-dimmed">{visibleText(row.message)}</span>;
  return (
    <ProgressCell name={name} done={step} total={steps} isOver={isFinished(state)}>
      {state === "running" &&
        timeLeft({ startedAt: row.started_at, done: step, total: steps }, now)}
    </ProgressCell>
  );
}
