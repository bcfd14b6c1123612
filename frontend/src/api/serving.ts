/** Models that the studio serves itself: adapters, and unmodified base models. */
import { queryOptions, useMutation } from "@tanstack/react-query";

import { client, unwrap } from "@/api/client";
import { modelKeys } from "@/api/models";
import { ALL_TAPES } from "@/api/tags";
import type { ServeRequest } from "@/api/types";
import { useChange } from "@/api/useChange";

const key = ["served"];
const LIVE_MS = 1000;
const IDLE_MS = 5000;
const path = (id: string) => ({ params: { path: { served_id: id } } });

/** Everything that is or was served; polled often while a server starts. */
export function servedQuery() {
  return queryOptions({
    queryKey: key,
    queryFn: async ({ signal }) =>
      (await unwrap(client.GET("/api/v1/served-models", { signal }))).items,
    refetchInterval: ({ state: { data } }) =>
      data?.some(({ state }) => state === "starting") === true ? LIVE_MS : IDLE_MS,
  });
}

export function serverLogQuery(id: string) {
  return queryOptions({
    queryKey: [...key, id, "log"],
    queryFn: ({ signal }) =>
      unwrap(client.GET("/api/v1/served-models/{served_id}/log", { ...path(id), signal })),
    refetchInterval: LIVE_MS,
  });
}

const CHANGED = [key, modelKeys.all];

export function useServe() {
  return useChange(CHANGED, (body: ServeRequest) =>
    unwrap(client.POST("/api/v1/served-models", { body })),
  );
}

export function useStopServing() {
  return useChange(CHANGED, (id: string) =>
    unwrap(client.POST("/api/v1/served-models/{served_id}/stop", path(id))),
  );
}

/** Run the model on the tapes that its training set held out. */
export function useCompareWithTeacher() {
  return useMutation({
    mutationFn: (id: string) =>
      unwrap(
        client.POST("/api/v1/served-models/{served_id}/compare", {
          ...path(id),
          body: { ...ALL_TAPES, batch_name: "" },
        }),
      ),
  });
}
