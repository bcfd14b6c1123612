import { useInfiniteQuery } from "@tanstack/react-query";
import { IconPuzzle } from "@tabler/icons-react";
import { useMemo } from "react";
import { Link } from "react-router";

import { adaptersQuery } from "@/api/training";
import type { Adapter } from "@/api/types";
import { NameLink } from "@/features/training/NameLink";
import { PagedList } from "@/features/training/PagedList";
import { ServeButton } from "@/features/training/ServeButton";
import { CREATED_COLUMN, nameColumn } from "@/features/training/rowColumns";
import classes from "@/features/training/training.module.css";
import { formatScore } from "@/lib/format";
import { visibleText } from "@/lib/visibleText";
import { Count } from "@/ui/Quantities";
import type { Column } from "@/ui/tableColumns";

const addressOf = ({ job_id: id }: Adapter) => `/training/${id}`;
const rowId = ({ id }: Adapter) => id;

export function AdapterList({ canWrite }: { canWrite: boolean }) {
  const columns = useMemo(() => [...COLUMNS, serveColumn(canWrite)], [canWrite]);
  return (
    <PagedList
      label="Adapters"
      query={useInfiniteQuery(adaptersQuery())}
      columns={columns}
      rowId={rowId}
      addressOf={addressOf}
      canWrite={canWrite}
      empty={{
        title: "No adapters yet",
        icon: <IconPuzzle size={24} stroke={1.5} />,
        words: "An adapter is the result of a finetune.",
        action: "Start a finetune",
        to: "/training?new=finetune",
      }}
    />
  );
}

const serveColumn = (canWrite: boolean): Column<Adapter> => ({
  id: "serve",
  header: <span className="ts-visually-hidden">Serve</span>,
  width: "104px",
  align: "end",
  cell: ({ id, name }) => <ServeButton what={{ adapter_id: id }} name={name} canWrite={canWrite} />,
});

const COLUMNS: Column<Adapter>[] = [
  nameColumn("Adapter", addressOf),
  {
    id: "lineage",
    header: "Lineage",
    width: "40%",
    hideLevel: 3,
    cell: (row) => <Lineage adapter={row} />,
  },
  {
    id: "method",
    header: "Method",
    width: "88px",
    hideLevel: 1,
    cell: ({ method }) => (method === "lora" ? "LoRA" : "Whole model"),
  },
  {
    id: "steps",
    header: "Steps",
    width: "72px",
    align: "end",
    hideLevel: 1,
    cell: (row) => <Count value={row.steps} />,
  },
  {
    id: "loss",
    header: "Loss",
    width: "72px",
    align: "end",
    hint: "At the last step, in nats per trained token",
    cell: (row) => <span className="ts-number">{formatScore(row.loss)}</span>,
  },
  {
    id: "held_out",
    header: "Held out",
    width: "80px",
    hideLevel: 3,
    align: "end",
    hint: "Best loss on the held-out examples",
    cell: (row) => <span className="ts-number">{formatScore(row.held_out_loss)}</span>,
  },
  CREATED_COLUMN,
];

/** What the adapter was made from: base, training set, finetune. */
function Lineage({ adapter }: { adapter: Adapter }) {
  return (
    <span className={`ts-row ${classes.lineage}`}>
      <span className="ts-truncate">{visibleText(adapter.base)}</span>
      <span aria-hidden="true">→</span>
      <NameLink to={`/training/sets/${adapter.training_set_id}`} name={adapter.training_set_name} />
      <span aria-hidden="true">→</span>
      <Link to={addressOf(adapter)}>Finetune</Link>
    </span>
  );
}
