/** Shows and changes what the open tape may be trained for: menu items. */
import { useCanWrite } from "@/api/session";
import { useTapeMarks } from "@/api/useTapeMarks";
import { LearnItems } from "@/features/tape-editor/header/LearnItems";
import { useTapeModel } from "@/features/tape-editor/editor";
import { TrainingItems } from "@/ui/TrainingMenu";

export function TrainingChoices() {
  const { tape } = useTapeModel();
  const canWrite = useCanWrite();
  const { markForTraining } = useTapeMarks();
  const { is_kept_from_training: isKept, split } = tape;
  return (
    <TrainingItems
      isKept={isKept}
      split={split}
      items={canWrite && !isKept && <LearnItems />}
      onChange={(change) => markForTraining([tape.id], change)}
    />
  );
}
