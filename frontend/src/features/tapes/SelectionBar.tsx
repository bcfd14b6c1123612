import { Button } from "@mantine/core";
import { IconArrowsDiff, IconX } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useNavigate } from "react-router";

import { tapeCountQuery } from "@/api/tags";
import type { TapeFilter } from "@/api/tapes";
import type { TapeRow } from "@/api/types";
import { ChangeButtons } from "@/features/tapes/bulk/ChangeButtons";
import { chooseAll, chooseRows } from "@/features/tapes/bulk/chosen";
import { DatasetMenu } from "@/features/tapes/bulk/DatasetMenu";
import { QueueMenu } from "@/features/tapes/bulk/QueueMenu";
import { RerunButton } from "@/features/tapes/bulk/RerunButton";
import { TagButton } from "@/features/tapes/bulk/TagButton";
import { TrainingSetButton } from "@/features/tapes/bulk/TrainingSetButton";
import { TransformButton } from "@/features/tapes/bulk/TransformButton";
import { ExportButton } from "@/features/tapes/ExportButton";
import classes from "@/features/tapes/Tapes.module.css";
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
    <div
      className={`ts-row ${classes.bar}`}
      data-selected
      role="toolbar"
      aria-label="Selected tapes"
    >
      <strong aria-live="polite">{isAll ? sentence(chosen.words) : chosen.words} selected</strong>
      {total > rows.length && (
        <AllButton isAll={isAll} total={total} onToggle={() => setAll(!isAll)} />
      )}
      <TagButton chosen={chosen} />
      <TransformButton chosen={chosen} />
      <RerunButton chosen={chosen} />
      <ExportButton target={chosen} />
      {!isAll && <CompareButton rows={rows} />}
      <QueueMenu chosen={chosen} />
      <DatasetMenu chosen={chosen} query={filter.q ?? ""} onRemoved={onClear} />
      <TrainingSetButton chosen={chosen} />
      <ChangeButtons chosen={chosen} sample={rows} onDone={onClear} />
      <Button
        variant="subtle"
        color="gray"
        leftSection={<IconX size={14} />}
        aria-label="Clear selection"
        onClick={onClear}
        ml="auto"
      >
        Clear
      </Button>
    </div>
  );
}

interface AllButtonProps {
  isAll: boolean;
  total: number;
  onToggle: () => void;
}

function AllButton({ isAll, total, onToggle }: AllButtonProps) {
  if (isAll) {
    return (
      <Button variant="subtle" onClick={onToggle}>
        Only the selected ones
      </Button>
    );
  }
  const words = `Select all ${formatExact(total)}`;
  return (
    <Button variant="subtle" aria-label={`${words} of the list`} onClick={onToggle}>
      {words}
      <span className={classes.spacious}>&nbsp;of the list</span>
    </Button>
  );
}

function sentence(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Two rows, side by side. */
function CompareButton({ rows }: { rows: readonly TapeRow[] }) {
  const navigate = useNavigate();
  const [first, second] = rows;
  if (rows.length !== 2 || first === undefined || second === undefined) return null;
  return (
    <Button
      variant="default"
      leftSection={<IconArrowsDiff size={14} />}
      onClick={() => void navigate(`/t/${first.id}/diff/${second.id}`)}
    >
      Compare
    </Button>
  );
}
