/** The fixes of the tape as tabs, a summary of the open one, and a button that runs them all. */
import { ActionIcon, Button, Menu, TextInput, Tooltip } from "@mantine/core";
import {
  IconCopy,
  IconDots,
  IconPencil,
  IconPlus,
  IconTrash,
  IconVersions,
} from "@tabler/icons-react";
import { useMemo, useState } from "react";

import { EditSummary } from "@/features/tape-editor/fixes/EditSummary";
import { shortWords } from "@/features/tape-editor/fixes/editPlaces";
import classes from "@/features/tape-editor/fixes/fixes.module.css";
import {
  type FixActions,
  type FixTab,
  useFixActions,
  useFixes,
} from "@/features/tape-editor/fixes/useFixes";
import type { Autosave } from "@/features/tape-editor/saving";
import { useEditor } from "@/features/tape-editor/editor";
import { countOf } from "@/lib/format";
import { useKeys } from "@/lib/keys";
import { visibleText } from "@/lib/visibleText";

interface FixStripProps {
  autosave: Autosave;
  /** Ask for a run of all fixes along with the recorded tape. */
  onRunAll: () => void;
}

/** Renders nothing until a fix changes something: a tape that is only read has no fixes. */
export function FixStrip({ autosave, onRunAll }: FixStripProps) {
  const tabs = useFixes();
  const actions = useFixActions();
  const edited = tabs.filter(({ editCount }) => editCount > 0).length;
  const [isNaming, setNaming] = useState(false);
  const isShown = edited > 0 || tabs.length > 1;
  useFixKeys(actions, isShown);
  if (!isShown) return null;
  return (
    <div className={`ts-row ${classes.strip}`}>
      <div className={classes.tabs} role="group" aria-label="Fixes">
        {tabs.map((tab) =>
          tab.isOpen && isNaming ? (
            <NameField key={tab.fix} tab={tab} onDone={() => setNaming(false)} />
          ) : (
            <Tab key={tab.fix} tab={tab} onOpen={() => actions.open(tab.fix)} />
          ),
        )}
        <span className={classes.tools}>
          <Tooltip label="Another fix of the recorded tape (+)">
            <ActionIcon size={24} aria-label="New fix" onClick={actions.begin}>
              <IconPlus size={15} stroke={1.75} />
            </ActionIcon>
          </Tooltip>
          <FixMenu actions={actions} autosave={autosave} onRename={() => setNaming(true)} />
        </span>
      </div>
      <EditSummary onSplit={actions.split} />
      {edited > 0 && (
        <Button
          className={classes.all}
          variant="default"
          leftSection={<IconVersions size={14} />}
          title="Each fix and the recorded tape, several times, in one grid (Shift Ctrl or ⇧⌘ Enter)"
          onClick={onRunAll}
        >
          {edited === 1
            ? "Compare with the recorded tape"
            : `Run all ${countOf(edited, "fix", "fixes")}`}
        </Button>
      )}
    </div>
  );
}

function Tab({ tab, onOpen }: { tab: FixTab; onOpen: () => void }) {
  const { fix, isOpen } = tab;
  const shown = visibleText(tab.name === "" ? tab.words : tab.name);
  const words = shown === "" ? "no change yet" : shown;
  return (
    <button
      type="button"
      className={`ts-inline ${classes.tab}`}
      aria-pressed={isOpen}
      aria-label={`Fix ${fix}: ${words}`}
      title={visibleText(tab.words)}
      onClick={onOpen}
    >
      <span className={classes.letter}>{fix}</span>
      <span className={`ts-truncate ${classes.words}`}>{shortWords(words)}</span>
    </button>
  );
}

function NameField({ tab, onDone }: { tab: FixTab; onDone: () => void }) {
  const dispatch = useEditor((editor) => editor.dispatch);
  const [name, setName] = useState(tab.name);
  const keep = () => {
    if (name.trim() !== tab.name) dispatch({ type: "draft.renamed", name: name.trim() });
    onDone();
  };
  return (
    <TextInput
      className={classes.name}
      size="xs"
      aria-label={`Name of fix ${tab.fix}`}
      placeholder={`Fix ${tab.fix}`}
      maxLength={60}
      data-autofocus
      ref={focusAtOnce}
      value={name}
      onChange={({ currentTarget }) => setName(currentTarget.value)}
      onBlur={keep}
      onKeyDown={(event) => {
        if (event.key === "Enter") keep();
        if (event.key !== "Escape") return;
        event.preventDefault();
        onDone();
      }}
    />
  );
}

function focusAtOnce(field: HTMLInputElement | null): void {
  field?.select();
}

interface FixMenuProps {
  actions: FixActions;
  autosave: Autosave;
  onRename: () => void;
}

function FixMenu({ actions, autosave, onRename }: FixMenuProps) {
  const fix = useEditor(({ draft }) => draft.fix);
  return (
    <Menu position="top-start" width={200} withinPortal returnFocus={false}>
      <Menu.Target>
        <ActionIcon size={24} aria-label={`More for fix ${fix}`}>
          <IconDots size={15} stroke={1.75} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconPencil size={15} />} onClick={onRename}>
          Rename fix {fix}
        </Menu.Item>
        <Menu.Item leftSection={<IconCopy size={15} />} onClick={actions.duplicate}>
          Duplicate fix {fix}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconTrash size={15} />}
          onClick={() => void actions.remove(autosave)}
        >
          Remove fix {fix}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function useFixKeys({ begin, next }: FixActions, isShown: boolean): void {
  const bindings = useMemo(
    () => [
      { keys: "+", label: "New fix of this tape", run: begin },
      ...(isShown
        ? [
            { keys: ".", label: "Next fix", run: () => next(1), isMove: true },
            { keys: ",", label: "Previous fix", run: () => next(-1), isMove: true },
          ]
        : []),
    ],
    [begin, next, isShown],
  );
  useKeys("Fixes", bindings);
}
