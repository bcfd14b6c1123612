import { ActionIcon, Tooltip } from "@mantine/core";
import { IconColumns2, IconLayoutRows } from "@tabler/icons-react";

import type { Unified } from "@/ui/fields/useUnified";

export function UnifiedButton({ isUnified, isNarrow, toggle }: Unified) {
  const label = isUnified ? "Show side by side" : "Show unified";
  const Icon = isUnified ? IconColumns2 : IconLayoutRows;
  return (
    <Tooltip label={isNarrow ? "There is only room for one column" : `${label} (u)`}>
      <ActionIcon aria-label={label} disabled={isNarrow} onClick={toggle}>
        <Icon size={16} stroke={1.75} />
      </ActionIcon>
    </Tooltip>
  );
}
