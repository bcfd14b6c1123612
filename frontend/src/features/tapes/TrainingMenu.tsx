/** What the selected tapes may be trained for. */
import { Button, Menu } from "@mantine/core";
import { IconCheck, IconSchool } from "@tabler/icons-react";

import type { TapeRow } from "@/api/types";
import { useTapeMarks } from "@/api/useTapeMarks";

const SPLITS: { value: TapeRow["split"]; label: string }[] = [
  { value: "", label: "No split" },
  { value: "train", label: "Train" },
  { value: "validation", label: "Validation" },
  { value: "test", label: "Test" },
];

export function TrainingMenu({ rows }: { rows: readonly TapeRow[] }) {
  const { markForTraining } = useTapeMarks();
  const ids = rows.map((row) => row.id);
  const areKept = rows.every((row) => row.is_kept_from_training);
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <Button variant="default" leftSection={<IconSchool size={14} />}>
          Training
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => markForTraining(ids, { is_kept_from_training: !areKept })}>
          {areKept ? "Allow training" : "Do not train"}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>Split</Menu.Label>
        {SPLITS.map(({ value, label }) => (
          <Menu.Item
            key={value}
            leftSection={
              rows.every((row) => row.split === value) ? (
                <IconCheck size={14} aria-label="Chosen" />
              ) : undefined
            }
            onClick={() => markForTraining(ids, { split: value })}
          >
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
