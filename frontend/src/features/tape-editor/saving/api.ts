/** The draft as the server keeps it, and the child that is made of it. */
import { queryOptions } from "@tanstack/react-query";

import { client, settle, unwrap } from "@/api/client";
import { tapeKeys } from "@/api/tapes";
import type { Draft, DraftIn } from "@/api/types";

const ofTape = (tapeId: string) => ({ params: { path: { tape_id: tapeId } } });

export function saveDraft(tapeId: string, body: DraftIn) {
  return unwrap(client.PUT("/api/v1/tapes/{tape_id}/draft", { ...ofTape(tapeId), body }));
}

/** Who else edits, and whether the draft or the tape changed elsewhere: asked now and then. */
export function watchDraftQuery(tapeId: string) {
  return queryOptions({
    queryKey: [...tapeKeys.tape(tapeId), "draft"],
    queryFn: async (): Promise<Draft | null> => loadDraft(tapeId),
    // The tape came with its draft: the first look is for later.
    initialData: notYet,
    initialDataUpdatedAt: () => Date.now(),
    refetchInterval: WATCH_MS,
    // What was seen at an earlier visit may be a draft that is gone.
    gcTime: 0,
    staleTime: WATCH_MS,
  });
}

const WATCH_MS = 15_000;

function notYet(): Draft | null {
  return null;
}

export function loadDraft(tapeId: string) {
  return unwrap(client.GET("/api/v1/tapes/{tape_id}/draft", ofTape(tapeId)));
}

export function discardDraft(tapeId: string) {
  return settle(client.DELETE("/api/v1/tapes/{tape_id}/draft", ofTape(tapeId)));
}

/** Make the child that the draft describes, without running anything. */
export function saveChild(tapeId: string) {
  return unwrap(client.POST("/api/v1/tapes/{tape_id}/save", ofTape(tapeId)));
}
