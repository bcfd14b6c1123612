/** The one thing to do next: edit the suspected step, or compare if no step is suspected. */
import { IconArrowsDiff, IconPencil } from "@tabler/icons-react";
import { useMemo } from "react";

import { type StepRow, useActions, useTapeModel } from "@/features/tape-editor/editor";
import type { SuspectedStep } from "@/features/tape-editor/header/suspect";
import { useKeys } from "@/lib/keys";
import { HeaderButton } from "@/ui/HeaderButton";

interface PrimaryActionProps {
  suspected: SuspectedStep | null;
  /** Called before the step is edited: where panes are stacked, the tape comes to the front. */
  onSelect: (step: number) => void;
  onCompare: () => void;
}

export function PrimaryAction({ suspected, onSelect, onCompare }: PrimaryActionProps) {
  const { canEdit } = useTapeModel();
  if (suspected !== null && canEdit) return <EditStep row={suspected.row} onSelect={onSelect} />;
  return (
    <HeaderButton
      word="Compare"
      icon={IconArrowsDiff}
      title="Compare with another tape (v)"
      onClick={onCompare}
    />
  );
}

interface EditStepProps {
  row: StepRow;
  onSelect: (step: number) => void;
}

function EditStep({ row, onSelect }: EditStepProps) {
  const actions = useActions();
  const { bindings, edit } = useMemo(() => {
    const run = () => {
      onSelect(row.index);
      actions.edit(row);
    };
    return { edit: run, bindings: [{ keys: "E", label: "Edit the suspected step", run }] };
  }, [row, actions, onSelect]);
  useKeys("Tape", bindings);
  return (
    <HeaderButton
      word={`Edit step ${row.index}`}
      icon={IconPencil}
      title="Edit the suspected step (E)"
      variant="filled"
      onClick={edit}
    />
  );
}
