import { Button } from "@mantine/core";
import { IconArchive } from "@tabler/icons-react";

import { useTapeMarks } from "@/api/useTapeMarks";
import classes from "@/features/tape-editor/header/header.module.css";
import { useTapeModel } from "@/features/tape-editor/editor";

/** Explains why nothing can be changed here, and how to change that. */
export function ArchivedNotice() {
  const { tape } = useTapeModel();
  const { restore } = useTapeMarks();
  if (!tape.is_archived) return null;
  return (
    <div className={`ts-row ${classes.archived}`} role="status">
      <IconArchive size={14} stroke={1.75} aria-hidden="true" />
      <span>This tape is archived: you can read it, but not change or run it.</span>
      <Button variant="default" size="compact-xs" onClick={() => restore([tape.id])}>
        Restore
      </Button>
    </div>
  );
}
