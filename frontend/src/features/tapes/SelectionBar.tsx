import { Button } from "@mantine/core";
import {
  IconArchive,
  IconArchiveOff,
  IconArrowsDiff,
  IconPin,
  IconPinnedOff,
  IconTrash,
  IconUserCheck,
  IconX,
} from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useNavigate } from "react-router";

import { exportUrl } from "@/api/exports";
import { tapeCountQuery } from "@/api/tags";
import type { TapeFilter } from "@/api/tapes";
import type { TapeRow } from "@/api/types";
import { useTapeMarks } from "@/api/useTapeMarks";
import { chooseAll, chooseRows } from "@/features/tapes/bulk/chosen";
import { RerunButton } from "@/features/tapes/bulk/RerunButton";
import { TagButton } from "@/features/tapes/bulk/TagButton";
import { TransformButton } from "@/features/tapes/bulk/TransformButton";
import { ExportButton } from "@/features/tapes/ExportButton";
import classes from "@/features/tapes/Tapes.module.css";
import { TrainingMenu } from "@/features/tapes/TrainingMenu";
import { useDeleteTapes } from "@/features/tapes/useDeleteTapes";
import { formatExact } from "@/lib/format";

interface SelectionBarProps {
  rows: readonly TapeRow[];
  /** What the list is narrowed to: all of it can be chosen, loaded or not. */
  filter: TapeFilter;
  onClear: () => void;
}

/** What can be done with the selected tapes, or with all that the list shows. */
export function SelectionBar({ rows, filter, onClear }: SelectionBarProps) {
  const [isAll, setAll] = useState(false);
  const count = useQuery(tapeCountQuery(filter));
  const total = count.data ?? 0;
  const chosen = isAll ? chooseAll(filter, total) : chooseRows(rows);
  return (
    <div className={classes.bar} data-selected role="toolbar" aria-label="Selected tapes">
      <strong aria-live="polite">{isAll ? sentence(chosen.words) : chosen.words} selected</strong>
      {total > rows.length && (
        <Button variant="subtle" onClick={() => setAll(!isAll)}>
          {isAll ? "Only the checked ones" : `Select all ${formatExact(total)} of the list`}
        </Button>
      )}
      <TagButton chosen={chosen} />
      <TransformButton chosen={chosen} />
      <RerunButton chosen={chosen} />
      <ExportButton
        target={{
          words: chosen.words,
          conditions: chosen.conditions,
          filesUrl: isAll ? null : exportUrl(rows.map((row) => row.id)),
        }}
      />
      {!isAll && <RowActions rows={rows} onDone={onClear} />}
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

function sentence(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

interface RowActionsProps {
  rows: readonly TapeRow[];
  onDone: () => void;
}

/** What is done with the checked rows one by one. Deleting can be undone, so it does not ask. */
function RowActions({ rows, onDone }: RowActionsProps) {
  const navigate = useNavigate();
  const deleteTapes = useDeleteTapes();
  const [first, second] = rows;
  return (
    <>
      {rows.length === 2 && first !== undefined && second !== undefined && (
        <Button
          variant="default"
          leftSection={<IconArrowsDiff size={14} />}
          onClick={() => void navigate(`/t/${first.id}/diff/${second.id}`)}
        >
          Compare
        </Button>
      )}
      <MarkButtons rows={rows} onDone={onDone} />
      <TrainingMenu rows={rows} />
      <Button
        variant="default"
        leftSection={<IconUserCheck size={14} />}
        onClick={() =>
          void navigate("/queues/add", { state: { tapeIds: rows.map((row) => row.id) } })
        }
      >
        Add to queue
      </Button>
      <Button
        variant="default"
        leftSection={<IconTrash size={14} />}
        onClick={() => {
          deleteTapes(rows.map((row) => row.id));
          onDone();
        }}
      >
        Delete
      </Button>
    </>
  );
}

/** Pin, archive or bring back what is selected; one word where all are alike. */
function MarkButtons({ rows, onDone }: RowActionsProps) {
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
