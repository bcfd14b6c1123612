/** Says what the open tape may be trained for, and changes it. */
import { IconSchool, IconSchoolOff } from "@tabler/icons-react";

import { useTapeMarks } from "@/api/useTapeMarks";
import { HeaderButton } from "@/ui/HeaderButton";
import { useTapeModel } from "@/features/tape-editor/editor";
import { TrainingMenu } from "@/ui/TrainingMenu";

export function TrainingButton() {
  const { tape } = useTapeModel();
  const { markForTraining } = useTapeMarks();
  const { is_kept_from_training: isKept, split } = tape;
  const title = isKept
    ? "Kept from training; no training file holds it"
    : split === ""
      ? "What this tape may be trained for"
      : `Of the split ${split}`;
  return (
    <TrainingMenu
      isKept={isKept}
      split={split}
      onChange={(change) => markForTraining([tape.id], change)}
    >
      <HeaderButton
        word="Training"
        icon={isKept ? IconSchoolOff : IconSchool}
        title={title}
        isPressed={isKept}
      />
    </TrainingMenu>
  );
}
