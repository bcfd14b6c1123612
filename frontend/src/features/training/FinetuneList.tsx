import { Button, Progress } from "@mantine/core";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { IconSchool } from "@tabler/icons-react";
import { useMemo } from "react";
import { Link } from "react-router";

import { isFinished } from "@/api/jobs";
import { adaptersQuery, finetunesQuery, trainingSetsQuery } from "@/api/training";
import type { Finetune } from "@/api/types";
import { Listing } from "@/features/training/Listing";
import { NameLink } from "@/features/training/NameLink";
import { timeLeft } from "@/features/training/timeLeft";
import classes from "@/features/training/training.module.css";
import { formatExact, formatScore } from "@/lib/format";
import { visibleText } from "@/lib/visibleText";
import { JobStateBadge } from "@/ui/JobStateBadge";
import { RelativeTime, useNow } from "@/ui/Quantities";
import { EmptyState } from "@/ui/States";
import type { Column } from "@/ui/tableColumns";

const addressOf = ({ job_id: id }: Finetune) => `/training/${id}`;
const rowId = ({ job_id: id }: Finetune) => id;

export function FinetuneList({ canWrite }: { canWrite: boolean }) {
  const finetunes = useQuery(finetunesQuery());
  const adapters = useInfiniteQuery(adaptersQuery());
  const sets = useInfiniteQuery(trainingSetsQuery());
  const columns = useMemo(() => {
    const losses = new Map(
      adapters.data?.pages.flatMap(({ items }) => items).map(({ id, loss }) => [id, loss]),
    );
    const names = new Map(
      sets.data?.pages.flatMap(({ items }) => items).map(({ id, name }) => [id, name]),
    );
    return finetuneColumns(
      (row) => names.get(row.training_set_id) ?? "Training set",
      (row) => losses.get(row.adapter_id ?? "") ?? null,
    );
  }, [adapters.data, sets.data]);
  return (
    <Listing
      label="Finetunes"
      query={finetunes}
      rows={finetunes.data}
      columns={columns}
      rowId={rowId}
      addressOf={addressOf}
      empty={<NoFinetune canWrite={canWrite} />}
    />
  );
}

function finetuneColumns(
  setNameOf: (row: Finetune) => string,
  lossOf: (row: Finetune) => number | null,
): Column<Finetune>[] {
  return [
    {
      id: "name",
      header: "Finetune",
      cell: (row) => <NameLink to={addressOf(row)} name={row.name} />,
    },
    {
      id: "state",
      header: "State",
      width: "112px",
      cell: (row) => <JobStateBadge state={row.state} />,
    },
    { id: "progress", header: "Progress", width: "220px", cell: (row) => <Going row={row} /> },
    {
      id: "loss",
      header: "Last loss",
      width: "96px",
      align: "end",
      cell: (row) => <LastLoss row={row} loss={lossOf(row)} />,
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
    {
      id: "begun",
      header: "Created",
      width: "88px",
      align: "end",
      hideLevel: 2,
      cell: (row) => <RelativeTime value={row.created_at} />,
    },
  ];
}

/** While a run is at work its message is the loss of the last step; then the adapter has it. */
function LastLoss({ row, loss }: { row: Finetune; loss: number | null }) {
  if (loss !== null) return <span className="ts-number">{formatScore(loss)}</span>;
  const told = isFinished(row.state) ? null : /^Loss ([\d.]+)$/.exec(row.message);
  return <span className="ts-number">{told?.[1] ?? "–"}</span>;
}

function Going({ row }: { row: Finetune }) {
  const now = useNow(1000);
  const { step, steps, name } = row;
  if (steps === null)
    return <span className="ts-truncate ts-dimmed">{visibleText(row.message)}</span>;
  return (
    <span className={`ts-row ${classes.going}`}>
      {!isFinished(row.state) && (
        <Progress
          size={4}
          value={(100 * step) / steps}
          aria-label={`Progress of ${visibleText(name)}`}
        />
      )}
      <span className="ts-number ts-caption">
        {formatExact(step)} of {formatExact(steps)}
        {row.state === "running" &&
          timeLeft({ startedAt: row.started_at, done: step, total: steps }, now)}
      </span>
    </span>
  );
}

function NoFinetune({ canWrite }: { canWrite: boolean }) {
  return (
    <EmptyState
      title="No finetunes yet"
      icon={<IconSchool size={24} stroke={1.5} />}
      action={
        canWrite && (
          <Button component={Link} to="/training?new=finetune">
            Start a finetune
          </Button>
        )
      }
    >
      A finetune teaches a base model the examples of a training set, and comes to an adapter.
    </EmptyState>
  );
}
