/** The page of one tape: loads its header, then hands it to the editor, which loads the rest. */
import { useQuery } from "@tanstack/react-query";
import { useParams } from "react-router";

import { describeError } from "@/api/client";
import { tapeQuery } from "@/api/tapes";
import { TapeEditor } from "@/features/tape-editor/TapeEditor";
import { PaintFirst } from "@/ui/AfterPaint";
import { PageHeader } from "@/ui/PageHeader";
import { ErrorState, RowsSkeleton } from "@/ui/States";

export function TapePage() {
  const { tapeId = "" } = useParams();
  const tape = useQuery(tapeQuery(tapeId));
  if (tape.data === undefined) {
    return (
      <>
        <PageHeader title="Tape" />
        {tape.error === null ? (
          <RowsSkeleton rows={16} label="Loading the tape" />
        ) : (
          <ErrorState
            title="The tape could not be loaded"
            message={describeError(tape.error)}
            onRetry={() => void tape.refetch()}
          />
        )}
      </>
    );
  }
  return (
    <PaintFirst>
      <TapeEditor
        key={tapeId}
        tape={tape.data}
        refreshError={tape.error}
        onRefresh={() => void tape.refetch()}
      />
    </PaintFirst>
  );
}
