import { Menu } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconDatabasePlus } from "@tabler/icons-react";

import { useNoteActions } from "@/features/tape-editor/notes";
import type { StepRow } from "@/features/tape-editor/editor";

/** Datasets are made from labeled steps; this is the label. */
const LABEL = "dataset";

export function AddToDataset({ row }: { row: StepRow }) {
  const { add } = useNoteActions();
  const { origin } = row.slot;
  const onAdd = () => {
    if (origin === null) return;
    const message = `Step ${row.index} is labeled ${LABEL}`;
    add.mutate(
      { position: origin, kind: "label", name: LABEL },
      { onSuccess: () => notifications.show({ message, autoClose: 1500, withBorder: true }) },
    );
  };
  return (
    <Menu.Item
      leftSection={<IconDatabasePlus size={15} />}
      disabled={origin === null}
      title={
        origin === null ? "Save the draft first: only recorded steps can be labeled" : undefined
      }
      onClick={onAdd}
    >
      Add to dataset
    </Menu.Item>
  );
}
