import { IconGripVertical } from "@tabler/icons-react";

import classes from "@/features/tape-editor/cards/draft.module.css";
import { startDrag } from "@/features/tape-editor/cards/dragging";

/** For the mouse; the keys and the step's menu do the same. */
export function DragHandle({ index }: { index: number }) {
  return (
    <span
      className={classes.handle}
      draggable
      aria-hidden="true"
      title="Drag to move the step (or Alt ↑ ↓)"
      data-handle={index}
      onDragStart={(event) => startDrag(event, index)}
    >
      <IconGripVertical size={14} stroke={1.75} />
    </span>
  );
}
