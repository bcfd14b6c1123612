import { Button } from "@mantine/core";
import {
  IconArchive,
  IconArchiveOff,
  IconArrowsDiff,
  IconPin,
  IconPinnedOff,
  IconTrash,
  IconX,
} from "@tabler/icons-react";
import { useNavigate } from "react-router";

import { exportUrl } from "@/api/exports";
import type { TapeRow } from "@/api/types";
import { useTapeMarks } from "@/api/useTapeMarks";
import { ExportButton } from "@/features/tapes/ExportButton";
import classes from "@/features/tapes/Tapes.module.css";
import { TrainingMenu } from "@/features/tapes/TrainingMenu";
import { useDeleteTapes } from "@/features/tapes/useDeleteTapes";
import { countOf } from "@/lib/format";

interface SelectionBarProps {
  rows: readonly TapeRow[];
  onClear: () => void;
}

/** What can be done with the selected tapes. Deleting can be undone, so it does not ask. */
export function SelectionBar({ rows, onClear }: SelectionBarProps) {
  const navigate = useNavigate();
  const deleteTapes = useDeleteTapes();
  const [first, second] = rows;
  return (
    <div className={classes.bar} data-selected role="toolbar" aria-label="Selected tapes">
      <strong aria-live="polite">{countOf(rows.length, "tape")} selected</strong>
      <ExportButton
        target={{
          words: countOf(rows.length, "tape"),
          conditions: { tape_ids: rows.map((row) => row.id) },
          filesUrl: exportUrl(rows.map((row) => row.id)),
        }}
      />
      {rows.length === 2 && first !== undefined && second !== undefined && (
        <Button
          variant="default"
          leftSection={<IconArrowsDiff size={14} />}
          onClick={() => void navigate(`/t/${first.id}/diff/${second.id}`)}
        >
          Compare
        </Button>
      )}
      <MarkButtons rows={rows} onDone={onClear} />
      <TrainingMenu rows={rows} />
      <Button
        variant="default"
        leftSection={<IconTrash size={14} />}
        onClick={() => {
          deleteTapes(rows.map((row) => row.id));
          onClear();
        }}
      >
        Delete
      </Button>
      <Button
        variant="subtle"
        color="gray"
        leftSection={<IconX size={14} />}
        onClick={onClear}
        ml="auto"
      >
        Clear selection
      </Button>
    </div>
  );
}

/** Pin, archive or bring back what is selected; one word where all are alike. */
function MarkButtons({ rows, onDone }: { rows: readonly TapeRow[]; onDone: () => void }) {
  const marks = useTapeMarks();
  const areArchived = rows.every((row) => row.is_archived);
  const arePinned = rows.every((row) => row.is_pinned);
  const ids = rows.map((row) => row.id);
  return (
    <>
      <Button
        variant="default"
        leftSection={arePinned ? <IconPinnedOff size={14} /> : <IconPin size={14} />}
        onClick={() => {
          for (const id of ids) marks.pin(id, !arePinned);
          onDone();
        }}
      >
        {arePinned ? "Unpin" : "Pin"}
      </Button>
      <Button
        variant="default"
        leftSection={areArchived ? <IconArchiveOff size={14} /> : <IconArchive size={14} />}
        onClick={() => {
          (areArchived ? marks.restore : marks.archive)(ids);
          onDone();
        }}
      >
        {areArchived ? "Restore" : "Archive"}
      </Button>
    </>
  );
}
