/** Pin and archive the open tape; both are commands of the palette too. */
import { IconArchive, IconArchiveOff, IconPin, IconPinnedFilled } from "@tabler/icons-react";
import { useMemo } from "react";

import { useTapeMarks } from "@/api/useTapeMarks";
import { HeaderButton } from "@/ui/HeaderButton";
import { useTapeModel } from "@/features/tape-editor/editor";
import { useCommands } from "@/lib/commands";

export function MarkButtons() {
  const { tape, isRunning } = useTapeModel();
  const { id, is_pinned: isPinned, is_archived: isArchived } = tape;
  const marks = useTapeMarks();
  const togglePin = () => marks.pin(id, !isPinned);
  const toggleArchive = () => (isArchived ? marks.restore([id]) : marks.archive([id]));
  useCommands(
    "Tape",
    useMemo(
      () => [
        {
          label: isPinned ? "Unpin the tape" : "Pin the tape",
          run: () => marks.pin(id, !isPinned),
        },
        {
          label: isArchived ? "Restore the tape" : "Archive the tape",
          run: () => (isArchived ? marks.restore([id]) : marks.archive([id])),
        },
      ],
      [marks, id, isPinned, isArchived],
    ),
  );
  return (
    <>
      <HeaderButton
        word={isPinned ? "Pinned" : "Pin"}
        icon={isPinned ? IconPinnedFilled : IconPin}
        title={
          isPinned
            ? "Allow this tape to be folded away with the other branches"
            : "Keep this tape visible in the branch map"
        }
        isPressed={isPinned}
        onClick={togglePin}
      />
      <HeaderButton
        word={isArchived ? "Restore" : "Archive"}
        icon={isArchived ? IconArchiveOff : IconArchive}
        title={
          isArchived
            ? "Restore the tape so that it can be changed"
            : isRunning
              ? "Stop the run before archiving the tape"
              : "Archive the tape; it is read-only until restored"
        }
        disabled={isRunning && !isArchived}
        onClick={toggleArchive}
      />
    </>
  );
}
