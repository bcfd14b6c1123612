/** Reruns: many tapes run again with another agent, into a new batch. */
import { queryOptions } from "@tanstack/react-query";

import { client, unwrap } from "@/api/client";
import { ALL_TAPES } from "@/api/tags";
import type { Rerun, RerunRequest, RerunSpec, TapeSelection } from "@/api/types";

const LIVE_MS = 1000;
const SEVERAL_LIVE_MS = 2000;
const SEVERAL_QUIET_MS = 6000;
const path = (id: string) => ({ params: { path: { rerun_id: id } } });

type Chosen<Body extends TapeSelection> = Omit<Body, keyof TapeSelection> & Partial<TapeSelection>;

/** Preview which tapes fit the agent and what the rerun may cost; nothing is created. */
export function previewRerun(request: Chosen<RerunSpec>) {
  return unwrap(client.POST("/api/v1/reruns/preview", { body: { ...ALL_TAPES, ...request } }));
}

export function startRerun(request: Chosen<RerunRequest>) {
  return unwrap(client.POST("/api/v1/reruns", { body: { ...ALL_TAPES, ...request } }));
}

/** The progress of a rerun; polled until it has finished. */
export function rerunQuery(id: string) {
  return queryOptions({
    queryKey: ["reruns", id],
    queryFn: ({ signal }) =>
      unwrap(client.GET("/api/v1/reruns/{rerun_id}", { ...path(id), signal })),
    refetchInterval: ({ state: { data } }) =>
      data === undefined || isActive(data) ? LIVE_MS : false,
  });
}

/** The reruns that have not finished; polled more often while there are any. */
export function activeRerunsQuery() {
  return queryOptions({
    queryKey: ["reruns", "active"],
    queryFn: async ({ signal }) => (await unwrap(client.GET("/api/v1/reruns", { signal }))).items,
    refetchInterval: ({ state: { data } }) =>
      (data?.length ?? 0) > 0 ? SEVERAL_LIVE_MS : SEVERAL_QUIET_MS,
  });
}

export function isActive({ state }: Rerun): boolean {
  return state === "preparing" || state === "running";
}

export function cancelRerun(id: string) {
  return unwrap(client.POST("/api/v1/reruns/{rerun_id}/cancel", path(id)));
}

/** Remove the new tapes from the lists; their cost stays on record. */
export function undoRerun(id: string) {
  return unwrap(client.POST("/api/v1/reruns/{rerun_id}/undo", path(id)));
}
