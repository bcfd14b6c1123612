/** The page of one tape: loads its header, then renders the editor, which loads the rest. */
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { useParams } from "react-router";

import { describeError, wayBack } from "@/api/client";
import { tapePreviewQuery, tapeQuery } from "@/api/tapes";
import { LoadingTape } from "@/features/tape-editor/LoadingTape";
import { TapeEditor } from "@/features/tape-editor/TapeEditor";
import { useAddress } from "@/lib/useAddress";
import { PaintFirst } from "@/ui/AfterPaint";
import { PageHeader } from "@/ui/PageHeader";
import { ErrorState } from "@/ui/States";

export function TapePage() {
  const { tapeId = "" } = useParams();
  const tape = useQuery(tapeQuery(tapeId));
  const isSought = useFirstError(tapeId);
  if (tape.data === undefined || isSought) {
    if (tape.error === null) return <LoadingTape />;
    return (
      <>
        <PageHeader title="Tape" />
        <ErrorState
          title="The tape could not be loaded"
          message={describeError(tape.error)}
          back={wayBack(tape.error, "/tapes", "tapes")}
          onRetry={() => void tape.refetch()}
        />
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

/** Replaces `?step=first-error` with the position of that step; returns true until it is known. */
function useFirstError(tapeId: string): boolean {
  const [params, change] = useAddress();
  const isWanted = params.get("step") === "first-error";
  const preview = useQuery({ ...tapePreviewQuery(tapeId), enabled: isWanted });
  const place = preview.data === undefined ? undefined : (preview.data.first_error ?? null);
  const isRefused = preview.isError;
  useEffect(() => {
    if (!isWanted) return;
    // A tape without an error, or one whose preview is refused, opens at its default step.
    if (isRefused || place === null) change({ step: null }, { replace: true });
    else if (place !== undefined) change({ step: String(place) }, { replace: true });
  }, [isWanted, isRefused, place, change]);
  return isWanted;
}
