/** Re-runs: many tapes rerun by another agent, into a batch of their own. */
import { queryOptions } from "@tanstack/react-query";

import { client, unwrap } from "@/api/client";
import { ALL_TAPES } from "@/api/tags";
import type { Rerun, RerunRequest, RerunSpec, TapeSelection } from "@/api/types";

const LIVE_MS = 1000;
const SEVERAL_LIVE_MS = 2000;
const SEVERAL_QUIET_MS = 6000;
const path = (id: string) => ({ params: { path: { rerun_id: id } } });

type Chosen<Body extends TapeSelection> = Omit<Body, keyof TapeSelection> & Partial<TapeSelection>;

/** Say which tapes fit the agent and what it may cost; nothing is made. */
export function previewRerun(request: Chosen<RerunSpec>) {
  return unwrap(client.POST("/api/v1/reruns/preview", { body: { ...ALL_TAPES, ...request } }));
}

export function startRerun(request: Chosen<RerunRequest>) {
  return unwrap(client.POST("/api/v1/reruns", { body: { ...ALL_TAPES, ...request } }));
}

/** How far a re-run is; asked again while it continues. */
export function rerunQuery(id: string) {
  return queryOptions({
    queryKey: ["reruns", id],
    queryFn: ({ signal }) =>
      unwrap(client.GET("/api/v1/reruns/{rerun_id}", { ...path(id), signal })),
    refetchInterval: ({ state: { data } }) =>
      data === undefined || isGoingOn(data) ? LIVE_MS : false,
  });
}

/** The re-runs that are not over; asked again while there are any. */
export function activeRerunsQuery() {
  return queryOptions({
    queryKey: ["reruns", "active"],
    queryFn: async ({ signal }) => (await unwrap(client.GET("/api/v1/reruns", { signal }))).items,
    refetchInterval: ({ state: { data } }) =>
      (data?.length ?? 0) > 0 ? SEVERAL_LIVE_MS : SEVERAL_QUIET_MS,
  });
}

export function isGoingOn({ state }: Rerun): boolean {
  return state === "preparing" || state === "running";
}

export function cancelRerun(id: string) {
  return unwrap(client.POST("/api/v1/reruns/{rerun_id}/cancel", path(id)));
}

/** Take the new tapes out of the lists; what they cost stays spent. */
export function undoRerun(id: string) {
  return unwrap(client.POST("/api/v1/reruns/{rerun_id}/undo", path(id)));
}
