/** What the inspector requests about the call behind a step, apart from the call itself. */
import { queryOptions } from "@tanstack/react-query";

import { client, unwrap } from "@/api/client";
import { tapeKeys } from "@/api/tapes";

const of = (tapeId: string, callId: string) => ({
  params: { path: { tape_id: tapeId, call_id: callId } },
});
const keyOf = (tapeId: string, callId: string) => [...tapeKeys.tape(tapeId), "call", callId];

// A recorded call never changes.
const FOREVER = { staleTime: Infinity };

/** `count` messages of a prompt, starting at `start`. */
export function messagesQuery(tapeId: string, callId: string, start: number, count: number) {
  return queryOptions({
    queryKey: [...keyOf(tapeId, callId), "messages", start, count],
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/api/v1/tapes/{tape_id}/calls/{call_id}/messages", {
          params: { path: { tape_id: tapeId, call_id: callId }, query: { start, count } },
          signal,
        }),
      ),
    ...FOREVER,
  });
}

/** The prompt compared with the same agent's previous one. */
export function changesQuery(tapeId: string, callId: string) {
  return queryOptions({
    queryKey: [...keyOf(tapeId, callId), "changes"],
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/api/v1/tapes/{tape_id}/calls/{call_id}/changes", {
          ...of(tapeId, callId),
          signal,
        }),
      ),
    ...FOREVER,
  });
}

/** Which pieces of the answer became which steps. */
export function parsedQuery(tapeId: string, callId: string) {
  return queryOptions({
    queryKey: [...keyOf(tapeId, callId), "parsed"],
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/api/v1/tapes/{tape_id}/calls/{call_id}/parsed", {
          ...of(tapeId, callId),
          signal,
        }),
      ),
  });
}

export function trainingTextQuery(tapeId: string, callId: string) {
  return queryOptions({
    queryKey: [...keyOf(tapeId, callId), "training-text"],
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/api/v1/tapes/{tape_id}/calls/{call_id}/training-text", {
          ...of(tapeId, callId),
          signal,
        }),
      ),
  });
}

/** What the calls up to a step cost. */
export function totalsQuery(tapeId: string, position: number) {
  return queryOptions({
    queryKey: [...tapeKeys.tape(tapeId), "totals", position],
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/api/v1/tapes/{tape_id}/steps/{position}/totals", {
          params: { path: { tape_id: tapeId, position } },
          signal,
        }),
      ),
    ...FOREVER,
  });
}

/** The call that a step answers, and the later prompts that contain it. */
export function linksQuery(tapeId: string, position: number) {
  return queryOptions({
    queryKey: [...tapeKeys.tape(tapeId), "links", position],
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/api/v1/tapes/{tape_id}/steps/{position}/links", {
          params: { path: { tape_id: tapeId, position } },
          signal,
        }),
      ),
  });
}
