import { ActionIcon, Button, Popover, Tooltip } from "@mantine/core";
import {
  IconAlertTriangle,
  IconArrowBackUp,
  IconArrowForwardUp,
  IconCheck,
  IconCloudOff,
  IconLoader2,
  type Icon,
} from "@tabler/icons-react";

import type { SaveState } from "@/features/tape-editor/draft";
import { useEditor } from "@/features/tape-editor/editor";
import classes from "@/features/tape-editor/saving/saving.module.css";

const LOOKS: Record<SaveState, { word: string; icon: Icon; tone: string }> = {
  saved: { word: "Saved", icon: IconCheck, tone: "dim" },
  saving: { word: "Saving", icon: IconLoader2, tone: "dim" },
  unsaved: { word: "Saving", icon: IconLoader2, tone: "dim" },
  offline: { word: "Offline", icon: IconCloudOff, tone: "warn" },
  conflict: { word: "Changed elsewhere", icon: IconAlertTriangle, tone: "bad" },
  refused: { word: "Not saved", icon: IconAlertTriangle, tone: "bad" },
};

interface AutosaveChipProps {
  onLoadTheirs: () => void;
  onKeepMine: () => void;
}

/** The save state of the draft, with undo and redo. Renders nothing without a draft. */
export function AutosaveChip({ onLoadTheirs, onKeepMine }: AutosaveChipProps) {
  const { operations, appliedCount, save: stored, problem } = useEditor(({ draft }) => draft);
  const isTyping = useEditor(({ typing }) => typing !== null);
  const save = isTyping && stored === "saved" ? "unsaved" : stored;
  const dispatch = useEditor((editor) => editor.dispatch);
  const { word, icon: Drawn, tone } = LOOKS[save];
  if (operations.length === 0 && save === "saved") return null;
  return (
    <div className={`ts-row ${classes.save}`}>
      <span className={`ts-inline ${classes.chip}`} data-tone={tone} role="status" title={problem}>
        <Drawn size={13} stroke={1.75} aria-hidden="true" />
        {word}
      </span>
      {save === "conflict" && (
        <ConflictHelp problem={problem} onLoadTheirs={onLoadTheirs} onKeepMine={onKeepMine} />
      )}
      <Tooltip label="Undo (Ctrl or ⌘ Z)">
        <ActionIcon
          size={24}
          aria-label="Undo"
          disabled={appliedCount === 0 && !isTyping}
          onClick={() => dispatch({ type: "draft.undone" })}
        >
          <IconArrowBackUp size={15} stroke={1.75} />
        </ActionIcon>
      </Tooltip>
      <Tooltip label="Redo (Shift Ctrl or ⇧⌘ Z)">
        <ActionIcon
          size={24}
          aria-label="Redo"
          disabled={appliedCount === operations.length}
          onClick={() => dispatch({ type: "draft.redone" })}
        >
          <IconArrowForwardUp size={15} stroke={1.75} />
        </ActionIcon>
      </Tooltip>
    </div>
  );
}

function ConflictHelp({
  problem,
  onLoadTheirs,
  onKeepMine,
}: AutosaveChipProps & { problem: string }) {
  return (
    <Popover width={320} withArrow defaultOpened>
      <Popover.Target>
        <Button variant="subtle" color="red" size="compact-xs">
          Choose…
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <p className={classes.conflict}>{problem}</p>
        <div className={classes.conflictActions}>
          <Button variant="default" onClick={onKeepMine}>
            Keep mine
          </Button>
          <Button onClick={onLoadTheirs}>Load theirs</Button>
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}
