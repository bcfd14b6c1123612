/** Chooses the columns of the table, their order, and which stay in view. */
import { ActionIcon, Button, Checkbox, Popover } from "@mantine/core";
import {
  IconArrowDown,
  IconArrowUp,
  IconColumns3,
  IconPin,
  IconPinnedOff,
} from "@tabler/icons-react";
import type { ChangeEvent } from "react";

import {
  moveColumn,
  toggleColumn,
  togglePin,
  type VisibleColumn,
} from "@/features/tapes/table/look";
import classes from "@/features/tapes/table/table.module.css";
import { DEFAULT_COLUMNS, findColumn, TAPE_COLUMNS } from "@/features/tapes/table/tapeColumns";
import { useCheckRange } from "@/ui/useCheckRange";

interface ColumnsMenuProps {
  columns: readonly VisibleColumn[];
  /** An empty list resets to the default columns. */
  onChange: (columns: readonly VisibleColumn[]) => void;
}

export function ColumnsMenu({ columns, onChange }: ColumnsMenuProps) {
  const shown = columns.length === 0 ? DEFAULT_COLUMNS : columns;
  const hidden = TAPE_COLUMNS.filter(({ id }) => !shown.some((column) => column.id === id));
  const ids = [...shown, ...hidden].map(({ id }) => id);
  const flipped = useCheckRange(ids, (id) => shown.some((column) => column.id === id));
  const onToggle = (id: string) => (event: ChangeEvent<HTMLInputElement>) =>
    onChange(flipped(id, event).reduce(toggleColumn, shown));
  return (
    <Popover position="bottom-end" width={280} trapFocus returnFocus>
      <Popover.Target>
        <Button variant="default" leftSection={<IconColumns3 size={14} />}>
          Columns
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Columns">
        <ul className={classes.columns}>
          {shown.map((column, at) => (
            <ColumnItem
              key={column.id}
              column={column}
              canGoUp={shown[at - 1]?.isPinned === column.isPinned}
              canGoDown={shown[at + 1]?.isPinned === column.isPinned}
              isOnly={shown.length === 1}
              onToggle={onToggle(column.id)}
              onMove={(by) => onChange(moveColumn(shown, column.id, by))}
              onPin={() => onChange(togglePin(shown, column.id))}
            />
          ))}
          {hidden.map(({ id, label }) => (
            <li key={id} className={`ts-row ${classes.column}`}>
              <Checkbox label={label} checked={false} onChange={onToggle(id)} />
            </li>
          ))}
        </ul>
        <Button
          variant="subtle"
          color="gray"
          fullWidth
          mt={8}
          disabled={columns.length === 0}
          onClick={() => onChange([])}
        >
          Default columns
        </Button>
      </Popover.Dropdown>
    </Popover>
  );
}

interface ColumnItemProps {
  column: VisibleColumn;
  canGoUp: boolean;
  canGoDown: boolean;
  isOnly: boolean;
  onToggle: (event: ChangeEvent<HTMLInputElement>) => void;
  onMove: (by: 1 | -1) => void;
  onPin: () => void;
}

function ColumnItem({ column, isOnly, onToggle, onMove, onPin, ...can }: ColumnItemProps) {
  const label = findColumn(column.id)?.label ?? column.id;
  return (
    <li className={`ts-row ${classes.column}`}>
      <Checkbox label={label} checked disabled={isOnly} onChange={onToggle} />
      <ActionIcon
        color="gray"
        aria-label={`Move ${label} up`}
        disabled={!can.canGoUp}
        onClick={() => onMove(-1)}
      >
        <IconArrowUp size={14} />
      </ActionIcon>
      <ActionIcon
        color="gray"
        aria-label={`Move ${label} down`}
        disabled={!can.canGoDown}
        onClick={() => onMove(1)}
      >
        <IconArrowDown size={14} />
      </ActionIcon>
      <ActionIcon
        color={column.isPinned ? "indigo" : "gray"}
        aria-label={`Pin ${label}`}
        aria-pressed={column.isPinned}
        onClick={onPin}
      >
        {column.isPinned ? <IconPinnedOff size={14} /> : <IconPin size={14} />}
      </ActionIcon>
    </li>
  );
}
