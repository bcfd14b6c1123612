import { Link } from "react-router";

import type { BatchSummary } from "@/api/types";
import classes from "@/features/batches/batches.module.css";
import { formatRate } from "@/lib/format";
import { visibleText } from "@/lib/visibleText";
import type { Column } from "@/ui/tableColumns";
import { RateBar } from "@/ui/RateBar";
import { Count, RelativeTime, SummedCost, Tokens } from "@/ui/Quantities";

export function batchColumns(): Column<BatchSummary>[] {
  return [
    {
      id: "name",
      header: "Batch",
      cell: ({ id, name }) => (
        <Link className={classes.link} to={`/tapes?batch=${id}`} title={visibleText(name)}>
          {visibleText(name)}
        </Link>
      ),
    },
    {
      id: "tapes",
      header: "Tapes",
      width: "64px",
      hideLevel: 3,
      align: "end",
      cell: (row) => <Count value={row.tape_count} />,
    },
    {
      id: "rate",
      header: "Pass rate, 95 % interval",
      width: "min(216px, 40cqw)",
      cell: (row) => <Rate row={row} />,
    },
    {
      id: "score",
      header: "Score",
      width: "64px",
      align: "end",
      hideLevel: 1,
      cell: ({ mean_score }) => (
        <span className="ts-number">{mean_score === null ? "–" : mean_score.toFixed(2)}</span>
      ),
    },
    {
      id: "errors",
      header: "With error",
      width: "80px",
      hideLevel: 3,
      align: "end",
      cell: (row) =>
        row.error_count > 0 ? (
          <span className="ts-bad">
            <Count value={row.error_count} />
          </span>
        ) : (
          <span className="ts-dimmed">–</span>
        ),
    },
    {
      id: "cost",
      header: "Cost",
      width: "116px",
      align: "end",
      hideLevel: 2,
      cell: (row) => <SummedCost sum={row} />,
    },
    {
      id: "tokens",
      header: "Tokens",
      width: "72px",
      align: "end",
      hideLevel: 2,
      cell: (row) => <Tokens value={row.tokens} />,
    },
    {
      id: "created",
      header: "Created",
      width: "96px",
      align: "end",
      hideLevel: 1,
      cell: (row) => <RelativeTime value={row.created_at} />,
    },
  ];
}

function Rate({ row }: { row: BatchSummary }) {
  if (row.pass_rate === null) return <span className="ts-dimmed">Not judged</span>;
  const judged = row.passed_count + row.failed_count;
  const words = formatRate(row.pass_rate);
  return (
    <span
      className={`ts-inline ${classes.rate}`}
      title={`${row.passed_count} of ${judged} judged tapes passed, ${row.tape_count} in all`}
    >
      <RateBar rate={row.pass_rate} />
      <span className="ts-number">{words}</span>
    </span>
  );
}
