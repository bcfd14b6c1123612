/** What the editor alone asks of the server: its draft, forms of steps, saving, replaying. */
import { keepPreviousData, queryOptions } from "@tanstack/react-query";

import { client, settle, unwrap } from "@/api/client";
import { tapeKeys } from "@/api/tapes";
import type { Draft, DraftIn } from "@/api/types";

const ofTape = (tapeId: string) => ({ params: { path: { tape_id: tapeId } } });

/** What the form of a recorded step is made from. */
export function stepSchemaQuery(tapeId: string, position: number) {
  return queryOptions({
    queryKey: [...tapeKeys.tape(tapeId), "schema", position],
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/api/v1/tapes/{tape_id}/steps/{position}/schema", {
          params: { path: { tape_id: tapeId, position } },
          signal,
        }),
      ),
    staleTime: Infinity,
  });
}

/** What the form of a new step is made from; kinds of the tape itself count too. */
export function kindSchemaQuery(tapeId: string, kind: string) {
  return queryOptions({
    queryKey: [...tapeKeys.tape(tapeId), "kind-schema", kind],
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/api/v1/tapes/{tape_id}/step-schemas/{kind}", {
          params: { path: { tape_id: tapeId, kind } },
          signal,
        }),
      ),
    staleTime: Infinity,
    retry: false,
  });
}

export function stepKindsQuery() {
  return queryOptions({
    queryKey: ["step-kinds"],
    queryFn: ({ signal }) => unwrap(client.GET("/api/v1/step-kinds", { signal })),
    staleTime: Infinity,
  });
}

/** The tools that its models were offered and its agent has, with the schemas of their arguments. */
export function toolsQuery(tapeId: string) {
  return queryOptions({
    queryKey: [...tapeKeys.tape(tapeId), "tools"],
    queryFn: ({ signal }) =>
      unwrap(client.GET("/api/v1/tapes/{tape_id}/tools", { ...ofTape(tapeId), signal })),
    staleTime: 60_000,
  });
}

/** Which steps of a child stand for other steps of its parent. */
export function replacedQuery(tapeId: string, stepCount: number) {
  return queryOptions({
    queryKey: [...tapeKeys.tape(tapeId), "replaced", stepCount],
    queryFn: async ({ signal }) => {
      const asked = client.GET("/api/v1/tapes/{tape_id}/replaced", { ...ofTape(tapeId), signal });
      const { items } = await unwrap(asked);
      return new Map(items.map((item) => [item.position, item]));
    },
    staleTime: Infinity,
    placeholderData: keepPreviousData,
  });
}

/** The parent's step that one of a child stands for, and the words that differ. */
export function replacedStepQuery(tapeId: string, position: number) {
  return queryOptions({
    queryKey: [...tapeKeys.tape(tapeId), "replaced-step", position],
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/api/v1/tapes/{tape_id}/steps/{position}/replaced", {
          params: { path: { tape_id: tapeId, position } },
          signal,
        }),
      ),
    staleTime: Infinity,
  });
}

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

export function replayTape(tapeId: string) {
  return unwrap(client.POST("/api/v1/tapes/{tape_id}/replay", ofTape(tapeId)));
}

export function exportAddress(tapeId: string): string {
  return `/api/v1/tapes/${encodeURIComponent(tapeId)}/export`;
}
