import { Button } from "@mantine/core";
import { IconArrowsDiff, IconX } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useCallback, useRef } from "react";
import { useNavigate } from "react-router";

import { ForWriters } from "@/api/ForWriters";
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
import { type Command, useCommands } from "@/lib/commands";
import { formatExact } from "@/lib/format";

interface SelectionBarProps {
  rows: readonly TapeRow[];
  /** The filter of the list: all of its tapes can be selected, loaded or not. */
  filter: TapeFilter;
  /** All tapes of the list are selected. */
  isAll: boolean;
  onAll: (isAll: boolean) => void;
  onClear: () => void;
}

/** The actions on the selected tapes, or on all tapes of the list. */
export function SelectionBar({ rows, filter, isAll, onAll, onClear }: SelectionBarProps) {
  const count = useQuery(tapeCountQuery(filter));
  const total = count.data ?? 0;
  const chosen = isAll ? chooseAll(filter, total) : chooseRows(rows);
  const bar = useRef<HTMLDivElement>(null);
  const source = useCallback(() => commandsOf(bar.current, chosen.words), [chosen.words]);
  useCommands("Selected tapes", source);
  return (
    <div
      ref={bar}
      className={`ts-row ${classes.bar}`}
      data-selected
      role="toolbar"
      aria-label="Selected tapes"
    >
      <strong aria-live="polite">{isAll ? sentence(chosen.words) : chosen.words} selected</strong>
      {total > rows.length && (
        <AllButton isAll={isAll} total={total} onToggle={() => onAll(!isAll)} />
      )}
      <ForWriters>
        <TagButton chosen={chosen} />
        <TransformButton chosen={chosen} />
        <RerunButton chosen={chosen} />
        <ExportButton target={chosen} />
      </ForWriters>
      {!isAll && <CompareButton rows={rows} />}
      <ForWriters>
        <QueueMenu chosen={chosen} />
        <DatasetMenu chosen={chosen} query={filter.q ?? ""} onRemoved={onClear} />
        <TrainingSetButton chosen={chosen} />
        <ChangeButtons chosen={chosen} sample={rows} onDone={onClear} />
      </ForWriters>
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

/** The palette's label for each button of the bar, by the button's name. */
const COMMANDS: readonly [string, (words: string) => string][] = [
  ["Tags", (words) => `Tag ${words}`],
  ["Transform", (words) => `Transform ${words}`],
  ["Rerun", (words) => `Rerun ${words}`],
  ["Export", (words) => `Export ${words}`],
  ["Compare", (words) => `Compare ${words}`],
  ["Add to queue", (words) => `Add ${words} to a queue`],
  ["Add to dataset", (words) => `Add ${words} to a dataset`],
  ["Training set…", (words) => `Make a training set of ${words}`],
  ["Pin", (words) => `Pin ${words}`],
  ["Unpin", (words) => `Unpin ${words}`],
  ["Archive", (words) => `Archive ${words}`],
  ["Restore", (words) => `Restore ${words}`],
  ["Clear selection", () => "Clear selection"],
];

/** Each button that is present, as a command: clicking it opens its dialog or menu. */
function commandsOf(bar: HTMLElement | null, words: string): Command[] {
  const buttons = [...(bar?.querySelectorAll("button") ?? [])];
  return COMMANDS.flatMap(([name, label]) => {
    const button = buttons.find((one) => nameOf(one) === name);
    return button === undefined ? [] : [{ label: label(words), run: () => button.click() }];
  });
}

function nameOf(button: HTMLElement): string {
  return button.getAttribute("aria-label") ?? button.textContent;
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

/** Compares two rows side by side. */
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
