/** Whether tapes may be trained on, and their split; for one tape or for many. */
import { Menu } from "@mantine/core";
import { IconCheck } from "@tabler/icons-react";
import type { ReactNode } from "react";

export type Split = "" | "train" | "validation" | "test";

const SPLITS: { value: Split; label: string }[] = [
  { value: "", label: "No split" },
  { value: "train", label: "Train" },
  { value: "validation", label: "Validation" },
  { value: "test", label: "Test" },
];

interface TrainingItemsProps {
  isKept: boolean;
  /** `null` if the tapes differ. */
  split: Split | null;
  /** More items, above the rest. */
  items?: ReactNode;
  onChange: (change: { is_kept_from_training: boolean } | { split: Split }) => void;
}

interface TrainingMenuProps extends TrainingItemsProps {
  /** The button that opens it. */
  children: ReactNode;
}

export function TrainingMenu({ children, ...props }: TrainingMenuProps) {
  return (
    <Menu position="bottom-start">
      <Menu.Target>{children}</Menu.Target>
      <Menu.Dropdown>
        <TrainingItems {...props} />
      </Menu.Dropdown>
    </Menu>
  );
}

/** The same choices as items of another menu. */
export function TrainingItems({ isKept, split, items, onChange }: TrainingItemsProps) {
  return (
    <>
      {items}
      <Menu.Item onClick={() => onChange({ is_kept_from_training: !isKept })}>
        {isKept ? "Allow training" : "Exclude from training"}
      </Menu.Item>
      <Menu.Divider />
      <Menu.Label>Split</Menu.Label>
      {SPLITS.map(({ value, label }) => (
        <Menu.Item
          key={value}
          leftSection={split === value ? <IconCheck size={14} aria-label="Selected" /> : undefined}
          onClick={() => onChange({ split: value })}
        >
          {label}
        </Menu.Item>
      ))}
    </>
  );
}
