/** What is requested before a run starts: whether the agent fits, and what the run will take. */
import { hashKey, keepPreviousData, queryOptions } from "@tanstack/react-query";

import { client, unwrap } from "@/api/client";
import { tapeKeys } from "@/api/tapes";
import type { EstimateIn, Fix } from "@/api/types";

export interface FitQuestion {
  versionId: string;
  modelId: string | null;
  /** How many steps are kept; `null`: all. */
  at: number | null;
  /** The draft's version if `at` counts edited steps, so that a later draft asks again. */
  draftVersion: number | null;
  fix: Fix;
  stepCount: number;
}

export function fitQuery(tapeId: string, question: FitQuestion) {
  const { versionId, modelId, at, draftVersion, fix } = question;
  return queryOptions({
    queryKey: [...tapeKeys.tape(tapeId), "fit", question],
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/api/v1/tapes/{tape_id}/fit", {
          params: {
            path: { tape_id: tapeId },
            query: {
              agent_version: versionId,
              ...(modelId === null ? {} : { model: modelId }),
              ...(at === null ? {} : { at }),
              ...(draftVersion === null ? {} : { use_draft: true, fix }),
            },
          },
          signal,
        }),
      ),
    staleTime: 10_000,
    retry: false,
    placeholderData: keepPreviousData,
  });
}

/** What the tape's newest run was made with; `null`: none is known. */
export function madeWithQuery(tapeId: string) {
  return queryOptions({
    queryKey: [...tapeKeys.tape(tapeId), "made-with"],
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/api/v1/tapes/{tape_id}/made-with", {
          params: { path: { tape_id: tapeId } },
          signal,
        }),
      ),
    staleTime: Infinity,
    retry: false,
  });
}

export function estimateQuery(tapeId: string, question: EstimateIn, stepCount: number) {
  const key = [
    ...tapeKeys.tape(tapeId),
    "estimate",
    question.agent_version_id,
    question.model_id ?? null,
  ];
  return queryOptions({
    queryKey: [...key, question, stepCount],
    queryFn: ({ signal }) =>
      unwrap(
        client.POST("/api/v1/tapes/{tape_id}/estimate", {
          params: { path: { tape_id: tapeId } },
          body: question,
          signal,
        }),
      ),
    staleTime: 30_000,
    retry: false,
    // The number of another agent or model must never show, not even briefly.
    placeholderData: (before, asked) =>
      asked !== undefined && hashKey(asked.queryKey.slice(0, key.length)) === hashKey(key)
        ? before
        : undefined,
  });
}
