/** The draft as stored on the server, and the child that is made from it. */
import { queryOptions } from "@tanstack/react-query";

import { client, settle, unwrap } from "@/api/client";
import { tapeKeys } from "@/api/tapes";
import type { Draft, DraftIn, Fix } from "@/api/types";

const ofFix = (tapeId: string, fix: Fix) => ({
  params: { path: { tape_id: tapeId }, query: { fix } },
});

export function saveDraft(tapeId: string, fix: Fix, body: DraftIn) {
  return unwrap(client.PUT("/api/v1/tapes/{tape_id}/draft", { ...ofFix(tapeId, fix), body }));
}

export const fixesKey = (tapeId: string) => [...tapeKeys.tape(tapeId), "fixes"];

/** All fixes of the person on a tape, in full: switching between them needs no request. */
export function fixesQuery(tapeId: string) {
  return queryOptions({
    queryKey: fixesKey(tapeId),
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/api/v1/tapes/{tape_id}/fixes", {
          params: { path: { tape_id: tapeId } },
          signal,
        }),
      ),
    staleTime: 0,
  });
}

/** Polls who else edits, and whether the draft or the tape changed elsewhere. */
export function watchDraftQuery(tapeId: string, fix: Fix) {
  return queryOptions({
    queryKey: [...tapeKeys.tape(tapeId), "draft", fix],
    queryFn: async (): Promise<Draft | null> => loadDraft(tapeId, fix),
    // The tape arrived with its draft: the first poll can wait.
    initialData: notYet,
    initialDataUpdatedAt: () => Date.now(),
    refetchInterval: WATCH_MS,
    // A cached draft from an earlier visit may no longer exist.
    gcTime: 0,
    staleTime: WATCH_MS,
  });
}

const WATCH_MS = 15_000;

function notYet(): Draft | null {
  return null;
}

export function loadDraft(tapeId: string, fix: Fix) {
  return unwrap(client.GET("/api/v1/tapes/{tape_id}/draft", ofFix(tapeId, fix)));
}

export function discardDraft(tapeId: string, fix: Fix) {
  return settle(client.DELETE("/api/v1/tapes/{tape_id}/draft", ofFix(tapeId, fix)));
}

/** Makes the child that the draft describes, without running anything. */
export function saveChild(tapeId: string, fix: Fix) {
  return unwrap(client.POST("/api/v1/tapes/{tape_id}/save", ofFix(tapeId, fix)));
}
