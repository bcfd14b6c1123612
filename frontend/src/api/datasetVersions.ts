/** Versions of a dataset, and the scorers that belong to it. */
import { queryOptions, skipToken, useMutation, useQueryClient } from "@tanstack/react-query";

import { client, settle, unwrap } from "@/api/client";
import { datasetKeys } from "@/api/datasets";

const keyOf = (datasetId: string, what: string) => [...datasetKeys.all, what, datasetId];
const of = (datasetId: string) => ({ params: { path: { dataset_id: datasetId } } });

/** Newest first. */
export function versionsQuery(datasetId: string) {
  return queryOptions({
    queryKey: keyOf(datasetId, "versions"),
    queryFn: ({ signal }) =>
      unwrap(client.GET("/api/v1/datasets/{dataset_id}/versions", { ...of(datasetId), signal })),
  });
}

/** What changed since a version: up to another one, or, with `null`, up to the current dataset. */
export function changesQuery(datasetId: string, since: number | null, to: number | null) {
  return queryOptions({
    queryKey: [...keyOf(datasetId, "changes"), since, to],
    queryFn:
      since === null
        ? skipToken
        : ({ signal }) => {
            const path = { dataset_id: datasetId, number: since };
            const params = { path, query: to === null ? {} : { to } };
            return unwrap(
              client.GET("/api/v1/datasets/{dataset_id}/versions/{number}/changes", {
                params,
                signal,
              }),
            );
          },
  });
}

export function useFreeze(datasetId: string) {
  return useDatasetChange(datasetId, () =>
    unwrap(client.POST("/api/v1/datasets/{dataset_id}/versions", of(datasetId))),
  );
}

/** Sorted by name; `null` when no dataset is chosen. */
export function scorersQuery(datasetId: string | null) {
  return queryOptions({
    queryKey: keyOf(datasetId ?? "", "scorers"),
    queryFn:
      datasetId === null
        ? skipToken
        : ({ signal }) =>
            unwrap(
              client.GET("/api/v1/datasets/{dataset_id}/scorers", { ...of(datasetId), signal }),
            ),
  });
}

export function useDeleteScorer(datasetId: string) {
  return useDatasetChange(datasetId, (scorerId: string) => {
    const params = { path: { dataset_id: datasetId, scorer_id: scorerId } };
    return settle(client.DELETE("/api/v1/datasets/{dataset_id}/scorers/{scorer_id}", { params }));
  });
}

interface Definition {
  definition: Record<string, unknown>;
  message: string;
  expected: string;
  judge_id: string | null;
}

/** Imports the graders of an OpenAI Evals definition. */
export function useTakeDefinition(datasetId: string) {
  return useDatasetChange(datasetId, (body: Definition) =>
    unwrap(
      client.POST("/api/v1/datasets/{dataset_id}/scorers/openai-eval", { ...of(datasetId), body }),
    ),
  );
}

function useDatasetChange<Body, Answer>(
  datasetId: string,
  change: (body: Body) => Promise<Answer>,
) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: keyOf(datasetId, "versions") });
      await queries.invalidateQueries({ queryKey: keyOf(datasetId, "changes") });
      await queries.invalidateQueries({ queryKey: keyOf(datasetId, "scorers") });
    },
  });
}
