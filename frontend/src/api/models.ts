import { queryOptions } from "@tanstack/react-query";

import { client, settle, unwrap } from "@/api/client";
import type { ModelIn } from "@/api/types";

const path = (modelId: string) => ({ params: { path: { model_id: modelId } } });

export const modelKeys = { all: ["models"] };

export function modelsQuery() {
  return queryOptions({
    queryKey: modelKeys.all,
    queryFn: ({ signal }) => unwrap(client.GET("/api/v1/models", { signal })),
  });
}

export function addModel(body: ModelIn) {
  return unwrap(client.POST("/api/v1/models", { body }));
}

export function changeModel(modelId: string, body: ModelIn) {
  return unwrap(client.PUT("/api/v1/models/{model_id}", { ...path(modelId), body }));
}

export function deleteModel(modelId: string) {
  return settle(client.DELETE("/api/v1/models/{model_id}", path(modelId)));
}

export function testModel(modelId: string) {
  return unwrap(client.POST("/api/v1/models/{model_id}/test", path(modelId)));
}
