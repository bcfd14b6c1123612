import { IconArrowFork, IconPin, IconSchoolOff } from "@tabler/icons-react";
import type { MouseEvent } from "react";
import { Link } from "react-router";

import type { TapeRow } from "@/api/types";
import { useOpenTapeEarly } from "@/api/openTape";
import { Snippet } from "@/features/tapes/query/Snippet";
import classes from "@/features/tapes/Tapes.module.css";
import { visibleText } from "@/lib/visibleText";

interface TitleCellProps {
  row: TapeRow;
  address: string;
  onOpen: (row: TapeRow) => void;
}

/** The title of a tape, which opens it, after icons for its properties. */
export function TitleCell({ row, address, onOpen }: TitleCellProps) {
  const isHit = row.snippet.length > 0;
  const early = useOpenTapeEarly(row.id);
  return (
    <span className={`ts-row ${classes.title}`} data-hit={isHit || undefined}>
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
          aria-label="Excluded from training"
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
        className={`ts-truncate ${classes.link}`}
        to={address}
        title={visibleText(row.title)}
        {...early}
        onClick={(event) => {
          if (isPlainClick(event)) {
            event.preventDefault();
            onOpen(row);
          }
        }}
      >
        {row.title === "" ? "Untitled tape" : visibleText(row.title)}
      </Link>
      <Snippet parts={row.snippet} />
    </span>
  );
}

/** Clicks with Ctrl, ⌘, Shift or the middle button open a tab: those are left to the browser. */
function isPlainClick(event: MouseEvent): boolean {
  return event.button === 0 && !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);
}
