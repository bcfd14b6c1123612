import { IconArrowFork, IconPin, IconSchoolOff } from "@tabler/icons-react";
import type { MouseEvent } from "react";
import { Link } from "react-router";

import type { TapeRow } from "@/api/types";
import classes from "@/features/tapes/Tapes.module.css";
import { visibleText } from "@/lib/visibleText";
import type { Column } from "@/ui/DataTable";
import { Cost, Count, RelativeTime, Tokens } from "@/ui/Quantities";

const MICRO = 1_000_000;

export function tapeColumns(onOpen: (row: TapeRow) => void): Column<TapeRow>[] {
  return [
    { id: "title", header: "Tape", cell: (row) => <Title row={row} onOpen={onOpen} /> },
    {
      id: "agent",
      header: "Agent",
      width: "160px",
      hideLevel: 2,
      cell: (row) => (
        <span className="ts-mono" title={visibleText(row.agent_name)}>
          {visibleText(row.agent_name)}
        </span>
      ),
    },
    {
      id: "batch",
      header: "Batch",
      width: "140px",
      hideLevel: 1,
      cell: (row) => (
        <span className="ts-dimmed" title={visibleText(row.batch_name)}>
          {visibleText(row.batch_name)}
        </span>
      ),
    },
    {
      id: "steps",
      header: "Steps",
      width: "64px",
      align: "end",
      cell: (row) => <Count value={row.step_count} />,
    },
    {
      id: "errors",
      header: "Errors",
      width: "64px",
      align: "end",
      cell: (row) =>
        row.error_count > 0 ? (
          <span className={classes.errors}>
            <Count value={row.error_count} />
          </span>
        ) : (
          <span className="ts-dimmed">–</span>
        ),
    },
    {
      id: "tokens",
      header: "Tokens",
      width: "80px",
      align: "end",
      hideLevel: 1,
      cell: ({ totals }) => (
        <Tokens
          value={totals.llm_call_count === 0 ? null : totals.input_tokens + totals.output_tokens}
        />
      ),
    },
    {
      id: "cost",
      header: "Cost",
      width: "84px",
      align: "end",
      hideLevel: 2,
      cell: ({ totals }) => (
        <Cost value={totals.llm_call_count === 0 ? null : totals.cost_micro_usd / MICRO} />
      ),
    },
    {
      id: "created",
      header: "Created",
      width: "104px",
      align: "end",
      cell: (row) => <RelativeTime value={row.created_at} />,
    },
  ];
}

function Title({ row, onOpen }: { row: TapeRow; onOpen: (row: TapeRow) => void }) {
  return (
    <span className={classes.title}>
      {row.active_job_id !== null && (
        <span className={classes.live} role="img" aria-label="Running" title="Running" />
      )}
      {row.is_pinned && (
        <IconPin size={14} color="var(--ts-accent)" role="img" aria-label="Pinned" />
      )}
      {row.is_kept_from_training && (
        <IconSchoolOff
          size={14}
          color="var(--mantine-color-dimmed)"
          role="img"
          aria-label="Kept from training"
        />
      )}
      {row.parent_id !== null && (
        <IconArrowFork
          size={14}
          color="var(--mantine-color-dimmed)"
          role="img"
          aria-label="Forked from another tape"
        />
      )}
      <Link
        className={classes.link}
        to={`/t/${row.id}`}
        title={visibleText(row.title)}
        onClick={(event) => {
          if (isPlainClick(event)) {
            event.preventDefault();
            onOpen(row);
          }
        }}
      >
        {row.title === "" ? "Untitled tape" : visibleText(row.title)}
      </Link>
    </span>
  );
}

/** Ctrl, ⌘, Shift and the middle button open a tab: those stay the browser's. */
function isPlainClick(event: MouseEvent): boolean {
  return event.button === 0 && !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);
}
