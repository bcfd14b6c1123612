/** Whether the draft is saved, with undo and redo; after a conflict, what to do about it. */
import { ActionIcon, Button, Tooltip } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import {
  IconAlertTriangle,
  IconArrowBackUp,
  IconArrowForwardUp,
  IconCheck,
  IconCloudOff,
  IconLoader2,
  type Icon,
} from "@tabler/icons-react";
import { useMemo } from "react";

import { agentKeys } from "@/api/agents";
import { showFailure } from "@/api/showFailure";
import classes from "@/features/agent-editor/agentEditor.module.css";
import type { SaveState } from "@/features/agent-editor/draft/draftEditor";
import { useAgentEditor, useEdited } from "@/features/agent-editor/editorContext";
import { useKeys } from "@/lib/keys";

const LOOKS: Record<SaveState, { word: string; icon: Icon; tone: string }> = {
  saved: { word: "Saved", icon: IconCheck, tone: "ts-dimmed" },
  saving: { word: "Saving", icon: IconLoader2, tone: "ts-dimmed" },
  unsaved: { word: "Saving", icon: IconLoader2, tone: "ts-dimmed" },
  offline: { word: "Offline", icon: IconCloudOff, tone: "ts-warn" },
  conflict: { word: "Changed elsewhere", icon: IconAlertTriangle, tone: "ts-bad" },
  refused: { word: "Not saved", icon: IconAlertTriangle, tone: "ts-bad" },
};

export function DraftChip() {
  const { editor } = useAgentEditor();
  const save = useEdited((draft) => draft.save);
  const {
    is_changed: isChanged,
    can_undo: canUndo,
    can_redo: canRedo,
  } = useEdited(({ stored }) => stored);
  const keys = useMemo(
    () => [
      { keys: "mod+z", label: "Undo", run: () => void editor.undo() },
      { keys: "mod+shift+z", label: "Redo", run: () => void editor.redo() },
    ],
    [editor],
  );
  useKeys("Agent draft", keys);
  const { word, icon: Drawn, tone } = LOOKS[save];
  const isDraft = isChanged || save !== "saved";
  return (
    <div className="ts-row">
      <span className={`ts-inline ${tone}`} role="status">
        <Drawn size={13} stroke={1.75} aria-hidden="true" />
        {isDraft ? `Draft · ${word.toLowerCase()}` : "No changes"}
      </span>
      <Tooltip label="Undo (Ctrl or ⌘ Z)">
        <ActionIcon
          size={24}
          aria-label="Undo"
          disabled={!canUndo && save === "saved"}
          onClick={() => void editor.undo()}
        >
          <IconArrowBackUp size={15} stroke={1.75} />
        </ActionIcon>
      </Tooltip>
      <Tooltip label="Redo (Shift Ctrl or ⇧⌘ Z)">
        <ActionIcon
          size={24}
          aria-label="Redo"
          disabled={!canRedo}
          onClick={() => void editor.redo()}
        >
          <IconArrowForwardUp size={15} stroke={1.75} />
        </ActionIcon>
      </Tooltip>
    </div>
  );
}

/** Why the draft is not saved, and what can be done. */
export function SaveNotice() {
  const { editor } = useAgentEditor();
  const queries = useQueryClient();
  const save = useEdited((draft) => draft.save);
  const problem = useEdited((draft) => draft.problem);
  if (problem === "") return null;
  const attempt = (go: () => Promise<void>) => () => {
    // The other person may have saved a version that this page does not know.
    go()
      .then(() => queries.invalidateQueries({ queryKey: agentKeys.all }))
      .catch((error: unknown) => showFailure("The draft could not be loaded", error));
  };
  return (
    <div className={`ts-row ts-panel ${classes.saveNotice}`} role="alert">
      <IconAlertTriangle size={14} stroke={1.75} aria-hidden="true" />
      <span className={classes.grows}>{problem}</span>
      {save === "conflict" && (
        <>
          <Button variant="default" onClick={attempt(editor.keepMine)}>
            Keep mine
          </Button>
          <Button onClick={attempt(editor.loadTheirs)}>Load theirs</Button>
        </>
      )}
      {save === "offline" && (
        <Button variant="default" onClick={() => void editor.flush()}>
          Try again
        </Button>
      )}
    </div>
  );
}
