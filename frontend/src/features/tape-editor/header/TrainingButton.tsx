/** Says what the open tape may be trained for, and changes it. */
import { IconSchool, IconSchoolOff } from "@tabler/icons-react";

import { useCanWrite } from "@/api/session";
import { useTapeMarks } from "@/api/useTapeMarks";
import { LearnItems } from "@/features/tape-editor/header/LearnItems";
import { HeaderButton } from "@/ui/HeaderButton";
import { useTapeModel } from "@/features/tape-editor/editor";
import { TrainingMenu } from "@/ui/TrainingMenu";

export function TrainingButton() {
  const { tape } = useTapeModel();
  const canWrite = useCanWrite();
  const { markForTraining } = useTapeMarks();
  const { is_kept_from_training: isKept, split } = tape;
  const title = isKept
    ? "Excluded from training; no training file contains it"
    : split === ""
      ? "Use of this tape for training"
      : `In the ${split} split`;
  return (
    <TrainingMenu
      isKept={isKept}
      split={split}
      items={canWrite && !isKept && <LearnItems />}
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
