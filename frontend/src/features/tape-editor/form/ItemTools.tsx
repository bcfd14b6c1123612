/** The buttons next to an item of a list. */
import { IconChevronDown, IconChevronUp, IconTrash } from "@tabler/icons-react";

import { Tool } from "@/features/tape-editor/form/FieldFrame";
import classes from "@/features/tape-editor/form/form.module.css";

interface ItemToolsProps {
  at: number;
  count: number;
  onMove: (to: number) => void;
  onRemove: () => void;
}

export function ItemTools({ at, count, onMove, onRemove }: ItemToolsProps) {
  return (
    <span className={classes.itemTools}>
      {at > 0 && (
        <Tool label={`Move item ${at} up`} icon={IconChevronUp} onClick={() => onMove(at - 1)} />
      )}
      {at < count - 1 && (
        <Tool
          label={`Move item ${at} down`}
          icon={IconChevronDown}
          onClick={() => onMove(at + 1)}
        />
      )}
      <Tool label={`Remove item ${at}`} icon={IconTrash} onClick={onRemove} />
    </span>
  );
}
