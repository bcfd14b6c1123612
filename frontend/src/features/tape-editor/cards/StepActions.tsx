/** The buttons of a step. Only the card under the pointer or with the focus has them. */
import { ActionIcon, Menu, Tooltip } from "@mantine/core";
import {
  IconArrowDown,
  IconArrowsSplit,
  IconArrowUp,
  IconBraces,
  IconCut,
  IconDatabasePlus,
  IconDots,
  IconGitFork,
  IconLink,
  IconMarkdown,
  IconMessagePlus,
  IconPencil,
  IconPinned,
  IconRobot,
  IconRowInsertBottom,
  IconRowInsertTop,
  IconTestPipe,
  IconTrash,
  type Icon,
} from "@tabler/icons-react";

import { useCallback, useRef } from "react";
import { Link } from "react-router";

import { ForWriters } from "@/api/ForWriters";
import { FamilyItems } from "@/features/tape-editor/cards/FamilyItems";
import classes from "@/features/tape-editor/cards/cards.module.css";
import { KeepFromTraining } from "@/features/tape-editor/cards/KeepFromTraining";
import { DatasetChoice } from "@/features/tape-editor/datasets";
import type { StepJson } from "@/features/tape-editor/draft";
import {
  agentAddress,
  type StepRow,
  useActions,
  useTapeModel,
} from "@/features/tape-editor/editor";
import { BreakpointItems } from "@/features/tape-editor/run";
import { useTestDialog } from "@/features/tape-editor/regression";
import { useNoteWriting } from "@/features/tape-editor/notes";

interface StepActionsProps {
  row: StepRow;
  body: StepJson | undefined;
  canEdit: boolean;
  isEditing: boolean;
  isRaw: boolean;
}

export function StepActions({ row, body, canEdit, isEditing, isRaw }: StepActionsProps) {
  const actions = useActions();
  const { onWrite } = useNoteWriting();
  return (
    <div className={classes.actions} role="toolbar" aria-label={`Step ${row.index}`}>
      {canEdit && !isEditing && (
        <>
          <IconAction label="Edit" keys="e" icon={IconPencil} onClick={() => actions.edit(row)} />
          <IconAction
            label="Fork here"
            keys="f"
            icon={IconGitFork}
            onClick={() => actions.fork(row)}
          />
          <IconAction label="Run N" icon={IconArrowsSplit} onClick={() => actions.runN(row)} />
        </>
      )}
      {canEdit && row.isStale && (
        <IconAction
          label="Keep this step"
          title="Keep this step: Resume continues after it, or later"
          icon={IconPinned}
          onClick={() => actions.keep(row)}
        />
      )}
      <ForWriters>
        <IconAction
          label="Comment"
          keys="c"
          icon={IconMessagePlus}
          onClick={() => onWrite(row.slot.origin, row.index, null)}
        />
      </ForWriters>
      <IconAction
        label="Raw JSON"
        keys="r"
        icon={IconBraces}
        isPressed={isRaw}
        onClick={() => actions.toggleRaw(row)}
      />
      <IconAction
        label="Copy link"
        keys="y"
        icon={IconLink}
        onClick={() => actions.copyLink(row)}
      />
      <MoreMenu row={row} body={body} canEdit={canEdit} />
    </div>
  );
}

interface IconActionProps {
  label: string;
  /** A longer text for the tooltip. */
  title?: string;
  keys?: string;
  icon: Icon;
  isPressed?: boolean;
  onClick: () => void;
}

function IconAction({
  label,
  title = label,
  keys,
  icon: Drawn,
  isPressed,
  onClick,
}: IconActionProps) {
  return (
    <Tooltip label={keys === undefined ? title : `${title} (${keys})`}>
      <ActionIcon
        size={24}
        aria-label={label}
        aria-pressed={isPressed}
        color={isPressed === true ? "indigo" : "gray"}
        onClick={onClick}
      >
        <Drawn size={15} stroke={1.75} />
      </ActionIcon>
    </Tooltip>
  );
}

type MoreMenuProps = Pick<StepActionsProps, "row" | "body" | "canEdit">;

function MoreMenu({ row, body, canEdit }: MoreMenuProps) {
  const { origin } = row.slot;
  const datasets = useRef<HTMLButtonElement>(null);
  // Wait until the menu has closed, or it would take the focus from the list.
  const onDatasets = useCallback(() => requestAnimationFrame(() => datasets.current?.click()), []);
  return (
    <span className={classes.more}>
      <Menu position="bottom-end" width={260} withinPortal>
        <Menu.Target>
          <ActionIcon size={24} aria-label={`More actions for step ${row.index}`}>
            <IconDots size={15} stroke={1.75} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {canEdit && <EditItems row={row} />}
          <ForWriters>
            <EditAgent row={row} />
            {row.recorded !== null && (
              <BreakpointItems node={row.recorded.node} kind={row.recorded.kind} body={body} />
            )}
            <Item icon={IconDatabasePlus} isOff={origin === null} onClick={onDatasets}>
              Add steps up to here to dataset
            </Item>
            <KeepFromTraining row={row} />
            <MakeTest row={row} />
            {row.recorded !== null && (
              <FamilyItems kind={row.recorded.kind} family={row.recorded.family} />
            )}
            <Menu.Divider />
          </ForWriters>
          <CopyItems row={row} body={body} />
        </Menu.Dropdown>
      </Menu>
      {origin !== null && <DatasetChoice opener={datasets} stepCount={origin + 1} />}
    </span>
  );
}

/** Leads to the node that wrote the step, with the step beside it. */
function EditAgent({ row }: { row: StepRow }) {
  const { tape } = useTapeModel();
  const address = agentAddress(tape, row.slot.origin);
  if (address === null) return null;
  return (
    <Menu.Item component={Link} to={address} leftSection={<IconRobot size={15} />}>
      Edit agent here
    </Menu.Item>
  );
}

/** A regression test keeps the recorded steps up to this one. */
function MakeTest({ row }: { row: StepRow }) {
  const { open } = useTestDialog();
  const { origin } = row.slot;
  return (
    <Item
      icon={IconTestPipe}
      isOff={origin === null}
      onClick={() => origin !== null && open(origin + 1)}
    >
      Regression test from here
    </Item>
  );
}

function EditItems({ row }: { row: StepRow }) {
  const actions = useActions();
  const { index } = row;
  return (
    <>
      <Item icon={IconRowInsertTop} onClick={() => actions.askInsert(index)}>
        Insert before
      </Item>
      <Item icon={IconRowInsertBottom} onClick={() => actions.askInsert(index + 1)}>
        Insert after
      </Item>
      <Item icon={IconArrowUp} onClick={() => actions.move(index, index - 1)}>
        Move up
      </Item>
      <Item icon={IconArrowDown} onClick={() => actions.move(index, index + 1)}>
        Move down
      </Item>
      <Item icon={IconTrash} onClick={() => actions.remove(row)}>
        Delete
      </Item>
      <Item icon={IconCut} onClick={() => actions.cut(index)}>
        Cut here
      </Item>
      <Menu.Divider />
    </>
  );
}

function CopyItems({ row, body }: Pick<MoreMenuProps, "row" | "body">) {
  const actions = useActions();
  return (
    <>
      <Item icon={IconLink} onClick={() => actions.copyLink(row)}>
        Copy link
      </Item>
      <Item
        icon={IconBraces}
        isOff={body === undefined}
        onClick={() => body !== undefined && actions.copyJson(body)}
      >
        Copy as JSON
      </Item>
      <Item
        icon={IconMarkdown}
        isOff={body === undefined}
        onClick={() => body !== undefined && actions.copyMarkdown(row, body)}
      >
        Copy as Markdown
      </Item>
    </>
  );
}

interface ItemProps {
  icon: Icon;
  isOff?: boolean;
  onClick: () => void;
  children: string;
}

function Item({ icon: Drawn, isOff = false, onClick, children }: ItemProps) {
  return (
    <Menu.Item leftSection={<Drawn size={15} />} disabled={isOff} onClick={onClick}>
      {children}
    </Menu.Item>
  );
}
