/** What can be done with a tape as a whole: one list for the menu, the keys and the palette. */
import {
  IconArchive,
  IconArchiveOff,
  IconArrowsDiff,
  IconDatabase,
  IconListDetails,
  IconPin,
  IconPinnedOff,
  IconRepeat,
  IconSchool,
  IconShare2,
  IconTestPipe,
  IconWand,
  type Icon,
} from "@tabler/icons-react";
import { useMemo } from "react";

import { useCanWrite } from "@/api/session";
import { useTapeMarks } from "@/api/useTapeMarks";
import { useTapeModel } from "@/features/tape-editor/editor";

export interface TapeAction {
  keys: (typeof MENU_KEYS)[number];
  /** In the menu. */
  word: string;
  /** In the palette and the list of keys. */
  label: string;
  icon: Icon;
  run: () => void;
  /** Why it cannot be done now. */
  isOff?: string | false;
  /** It opens a submenu. */
  leadsOn?: boolean;
  /** Not for people who can only view the project. */
  writes?: true;
}

/** The keys of all actions, for the time before they are mounted. */
export const MENU_KEYS = ["v", "i", "R", "S", "T", "D", "X", "I", "p", "A"] as const;

interface ActionsOptions {
  onView: (view: "compare" | "share" | "training") => void;
  onDetails: () => void;
  onReplay: () => void;
  onDatasets: () => void;
  onTest: () => void;
  onImprove: () => void;
}

export function useTapeActions(options: ActionsOptions): readonly TapeAction[] {
  const { onView, onDetails, onReplay, onDatasets, onTest, onImprove } = options;
  const { tape, isRunning, canEdit } = useTapeModel();
  const { id, is_pinned: isPinned, is_archived: isArchived } = tape;
  const marks = useTapeMarks();
  const canWrite = useCanWrite();
  const all: readonly TapeAction[] = useMemo(
    () => [
      {
        keys: "v",
        word: "Compare",
        label: "Compare with another tape",
        icon: IconArrowsDiff,
        run: () => onView("compare"),
        leadsOn: true,
      },
      {
        keys: "i",
        word: "Details",
        label: "Edit context and metadata",
        icon: IconListDetails,
        run: onDetails,
        writes: true,
        isOff: !canEdit && "The tape cannot be changed now",
      },
      {
        keys: "R",
        word: "Replay check",
        label: "Run the agent again on the recorded answers and compare",
        icon: IconRepeat,
        run: onReplay,
        writes: true,
        isOff: isRunning && "Stop the run first",
      },
      {
        keys: "S",
        word: "Share",
        label: "Share the tape",
        icon: IconShare2,
        run: () => onView("share"),
        leadsOn: true,
      },
      {
        keys: "T",
        word: "Training",
        label: "Use of the tape for training",
        icon: IconSchool,
        run: () => onView("training"),
        leadsOn: true,
      },
      {
        keys: "D",
        word: "Datasets",
        label: "Datasets that contain the tape",
        icon: IconDatabase,
        run: onDatasets,
        writes: true,
      },
      {
        keys: "X",
        word: "Regression test",
        label: "Make a regression test of the tape",
        icon: IconTestPipe,
        run: onTest,
        writes: true,
        isOff: isArchived && "Restore the tape first",
      },
      {
        keys: "I",
        word: "Improve",
        label: "Let an agent rewrite the bad step of the tape",
        icon: IconWand,
        run: onImprove,
        writes: true,
        isOff: isRunning && "Stop the run first",
      },
      {
        keys: "p",
        word: isPinned ? "Unpin" : "Pin",
        label: isPinned ? "Unpin the tape" : "Pin the tape",
        icon: isPinned ? IconPinnedOff : IconPin,
        run: () => marks.pin(id, !isPinned),
        writes: true,
      },
      {
        keys: "A",
        word: isArchived ? "Restore" : "Archive",
        label: isArchived ? "Restore the tape" : "Archive the tape",
        icon: isArchived ? IconArchiveOff : IconArchive,
        run: () => (isArchived ? marks.restore([id]) : marks.archive([id])),
        writes: true,
        isOff: isRunning && !isArchived && "Stop the run before archiving the tape",
      },
    ],
    [
      marks,
      id,
      isPinned,
      isArchived,
      isRunning,
      canEdit,
      onView,
      onDetails,
      onReplay,
      onDatasets,
      onTest,
      onImprove,
    ],
  );
  return useMemo(() => all.filter(({ writes }) => canWrite || writes !== true), [all, canWrite]);
}
