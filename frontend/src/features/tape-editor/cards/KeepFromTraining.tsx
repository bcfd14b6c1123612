import { Menu } from "@mantine/core";
import { IconSchool, IconSchoolOff } from "@tabler/icons-react";

import type { StepRow } from "@/features/tape-editor/editor";
import { useNoteActions, useNotesOf } from "@/features/tape-editor/notes";

/** Training sets leave out the LLM calls that led to a step with this label. */
const LABEL = "kept-from-training";

export function KeepFromTraining({ row }: { row: StepRow }) {
  const { add, remove } = useNoteActions();
  const { origin } = row.slot;
  const labels = useNotesOf(origin).filter(({ kind, name }) => kind === "label" && name === LABEL);
  if (labels.length > 0) {
    return (
      <Menu.Item
        leftSection={<IconSchool size={15} />}
        onClick={() => {
          for (const label of labels) remove.mutate(label);
        }}
      >
        Allow training
      </Menu.Item>
    );
  }
  return (
    <Menu.Item
      leftSection={<IconSchoolOff size={15} />}
      disabled={origin === null}
      title={
        origin === null ? "Save the draft first: only recorded steps can be labeled" : undefined
      }
      onClick={() => add.mutate({ position: origin, kind: "label", name: LABEL })}
    >
      Exclude from training
    </Menu.Item>
  );
}
