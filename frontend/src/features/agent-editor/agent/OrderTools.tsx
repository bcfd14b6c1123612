/** Moves an item of a list up or down, or removes it; the cursor follows it. */
import { ActionIcon, Tooltip } from "@mantine/core";
import { IconArrowDown, IconArrowUp, IconTrash, type Icon } from "@tabler/icons-react";

import classes from "@/features/agent-editor/agent/rules.module.css";
import { useAgentEditor } from "@/features/agent-editor/editorContext";

interface OrderToolsProps {
  /** The item in a sentence: "the node". */
  name: string;
  /** The pointer of these buttons, for the cursor. */
  place: string;
  at: number;
  count: number;
  onMove: (by: 1 | -1) => void;
  onRemove: () => void;
}

export function OrderTools({ name, place, at, count, onMove, onRemove }: OrderToolsProps) {
  return (
    <div className={classes.tools} data-pointer={place}>
      <span data-pointer={`${place}/up`}>
        <HeadButton
          label={`Move ${name} up`}
          icon={IconArrowUp}
          isOff={at === 0}
          onClick={() => onMove(-1)}
        />
      </span>
      <span data-pointer={`${place}/down`}>
        <HeadButton
          label={`Move ${name} down`}
          icon={IconArrowDown}
          isOff={at === count - 1}
          onClick={() => onMove(1)}
        />
      </span>
      <HeadButton label={`Remove ${name}`} icon={IconTrash} onClick={onRemove} />
    </div>
  );
}

interface ListOrderToolsProps extends Omit<OrderToolsProps, "name" | "place"> {
  /** The item in a sentence: "rule 2". */
  what: (number: number) => string;
  /** The pointer of the list, in the form of the whole agent. */
  list: string;
}

export function ListOrderTools({ what, list, onMove, onRemove, ...item }: ListOrderToolsProps) {
  const { select } = useAgentEditor();
  const { at, count } = item;
  return (
    <OrderTools
      {...item}
      name={what(at + 1)}
      place={`${list}/${at}/order`}
      onMove={(by) => {
        onMove(by);
        select("", orderPlace(`${list}/${at + by}`, by));
      }}
      onRemove={() => {
        onRemove();
        select("", count > 1 ? `${list}/${Math.max(0, at - 1)}` : list);
      }}
    />
  );
}

/** The button that an item was moved with, where it is now. */
export function orderPlace(item: string, by: 1 | -1): string {
  return `${item}/order/${by === -1 ? "up" : "down"}`;
}

interface HeadButtonProps {
  label: string;
  icon: Icon;
  isOff?: boolean;
  onClick: () => void;
}

function HeadButton({ label, icon: Drawn, isOff = false, onClick }: HeadButtonProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon aria-label={label} disabled={isOff} onClick={onClick}>
        <Drawn size={15} stroke={1.75} />
      </ActionIcon>
    </Tooltip>
  );
}
