/** The middle of the editor: the tape, or the tape next to another one. */
import { Suspense } from "react";

import { useDrawCompared } from "@/features/tape-editor/compare";
import { TapePane } from "@/features/tape-editor/panes/TapePane";
import { type Selection, useTapeModel } from "@/features/tape-editor/editor";
import { RowsSkeleton } from "@/ui/States";

export function MiddlePane({ selection }: { selection: Selection }) {
  const drawCompared = useDrawCompared();
  const { compared, step, field } = selection;
  const { tape, editedAt } = useTapeModel();
  if (compared === null || compared === tape.id || drawCompared === null) {
    return <TapePane selected={step} field={field} />;
  }
  const notice = editedAt === null ? "" : "Compared as recorded, without your draft.";
  return (
    <Suspense fallback={<RowsSkeleton rows={16} label="Loading the comparison" />}>
      {drawCompared({ tapeId: tape.id, otherId: compared, notice })}
    </Suspense>
  );
}
