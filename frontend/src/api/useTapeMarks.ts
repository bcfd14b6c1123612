/** Renames, pins, judges, archives and restores tapes from anywhere; a toast offers undo. */
import { useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useMemo } from "react";

import { describeError } from "@/api/client";
import { familyKeys } from "@/api/families";
import { showFailure } from "@/api/showFailure";
import { changeTape, tapeKeys, tapePreviewQuery } from "@/api/tapes";
import type { Tape, TapePatch, TapePreview } from "@/api/types";
import { countOf } from "@/lib/format";
import type { Outcome } from "@/lib/outcomes";
import { offerUndo } from "@/ui/undoToast";

export interface TapeMarks {
  rename: (id: string, title: string) => void;
  pin: (id: string, isPinned: boolean) => void;
  /** Set whether the tape accomplished its task; empty: unknown. */
  judge: (id: string, outcome: Outcome) => void;
  archive: (ids: readonly string[]) => void;
  restore: (ids: readonly string[]) => void;
  markForTraining: (
    ids: readonly string[],
    patch: Pick<TapePatch, "is_kept_from_training" | "split">,
  ) => void;
}

export function useTapeMarks(): TapeMarks {
  const queries = useQueryClient();
  return useMemo(() => {
    const change = (ids: readonly string[], patch: TapePatch) => changeAll(queries, ids, patch);
    const restore = (ids: readonly string[]) => void change(ids, { is_archived: false });
    return {
      rename: (id, title) => void change([id], { title }),
      pin: (id, isPinned) => void change([id], { is_pinned: isPinned }),
      judge: (id, outcome) => void change([id], { outcome }),
      restore,
      markForTraining: (ids, patch) => void change(ids, patch),
      archive: (ids) =>
        void change(ids, { is_archived: true }).then((done) => {
          if (done.length === 0) return;
          offerUndo(`${countOf(done.length, "tape")} archived`, () => restore(done));
        }),
    };
  }, [queries]);
}

/** Return the ids of the tapes that changed; a notification shows each refusal. */
async function changeAll(
  queries: QueryClient,
  ids: readonly string[],
  patch: TapePatch,
): Promise<string[]> {
  const outcomes = await Promise.allSettled(ids.map((id) => changeTape(id, patch)));
  const done: string[] = [];
  const refusals = new Set<string>();
  outcomes.forEach((outcome) => {
    if (outcome.status === "rejected") refusals.add(describeError(outcome.reason));
    else {
      done.push(outcome.value.id);
      queries.setQueryData(tapeKeys.tape(outcome.value.id), outcome.value);
      changePreview(queries, outcome.value);
    }
  });
  for (const reason of refusals) showFailure("The tape was not changed", reason);
  void queries.invalidateQueries({ queryKey: tapeKeys.lists });
  await queries.invalidateQueries({ queryKey: familyKeys.all });
  return done;
}

/** The preview next to a list is cached under its own key. */
function changePreview(queries: QueryClient, { id, title, outcome, is_pinned }: Tape): void {
  queries.setQueryData<TapePreview>(
    tapePreviewQuery(id).queryKey,
    (known) => known && { ...known, tape: { ...known.tape, title, outcome, is_pinned } },
  );
}
