import { ActionIcon, Tooltip } from "@mantine/core";
import { IconLayoutSidebarRight } from "@tabler/icons-react";

import type { TapeRow } from "@/api/types";
import { rowToPeek, type MarkedRow } from "@/features/tapes/peek/useMarkedRow";

/** Shows the marked tape, or the first one, next to the table. */
export function PeekSwitch({ marked, rows }: { marked: MarkedRow; rows: readonly TapeRow[] }) {
  const id = rowToPeek(rows, marked.id);
  return (
    <Tooltip label="Preview the current tape (Space)">
      <ActionIcon
        size={30}
        variant="default"
        aria-label="Preview"
        aria-pressed={marked.isPeeked}
        disabled={!marked.isPeeked && id === null}
        onClick={() => {
          if (marked.isPeeked) marked.closePeek();
          else if (id !== null) marked.peek(id);
        }}
      >
        <IconLayoutSidebarRight size={16} />
      </ActionIcon>
    </Tooltip>
  );
}
