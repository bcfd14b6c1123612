/** Annotation queues and rubrics: lists, a person's work, results. Query keys and requests. */
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";

import { client, settle, unwrap } from "@/api/client";
import type {
  AnswerIn,
  QueueIn,
  QueueItemPage,
  QueueItemsIn,
  QueuePatch,
  RubricIn,
} from "@/api/types";
import { withProject } from "@/lib/project";

export const queueKeys = {
  all: ["queues"],
  list: ["queues", "list"],
  queue: (id: string) => ["queues", id],
  work: (id: string) => ["queues", id, "work"],
};

export const rubricKeys = { all: ["rubrics"] };

const MOST_QUEUES = 200;
const PAGE = 50;
const of = (queueId: string) => ({ params: { path: { queue_id: queueId } } });
const at = (queueId: string, itemId: string) => ({
  params: { path: { queue_id: queueId, item_id: itemId } },
});

/** The newest queues; `next` is set when there are more. */
export function queuesQuery() {
  return queryOptions({
    queryKey: queueKeys.list,
    queryFn: ({ signal }) =>
      unwrap(client.GET("/api/v1/queues", { params: { query: { limit: MOST_QUEUES } }, signal })),
  });
}

export function queueQuery(queueId: string) {
  return queryOptions({
    queryKey: queueKeys.queue(queueId),
    queryFn: ({ signal }) =>
      unwrap(client.GET("/api/v1/queues/{queue_id}", { ...of(queueId), signal })),
  });
}

export function queueItemsQuery(queueId: string) {
  return infiniteQueryOptions({
    queryKey: [...queueKeys.queue(queueId), "items"],
    queryFn: ({ pageParam, signal }) => {
      const params = { path: { queue_id: queueId }, query: { after: pageParam, limit: PAGE } };
      return unwrap(client.GET("/api/v1/queues/{queue_id}/items", { params, signal }));
    },
    // Numbers begin at 0.
    initialPageParam: -1,
    getNextPageParam: ({ next }: QueueItemPage) => (next === null ? null : Number(next)),
  });
}

export function queueResultsQuery(queueId: string) {
  return queryOptions({
    queryKey: [...queueKeys.queue(queueId), "results"],
    queryFn: ({ signal }) =>
      unwrap(client.GET("/api/v1/queues/{queue_id}/results", { ...of(queueId), signal })),
  });
}

/** Which of some tapes are of one task, as items of a pairwise queue. */
export function pairsQuery(tapeIds: readonly string[]) {
  return queryOptions({
    queryKey: [...queueKeys.all, "pairs", tapeIds],
    queryFn: ({ signal }) =>
      unwrap(client.POST("/api/v1/queues/pairs", { body: { tape_ids: [...tapeIds] }, signal })),
  });
}

export function queueProgressQuery(queueId: string) {
  return queryOptions({
    queryKey: [...queueKeys.queue(queueId), "progress"],
    queryFn: ({ signal }) =>
      unwrap(client.GET("/api/v1/queues/{queue_id}/progress", { ...of(queueId), signal })),
  });
}

/**
 * The next item to annotate. Requesting it takes a lock, so it is fetched once and never refetched
 * in the background.
 */
export function workQuery(queueId: string) {
  return queryOptions({
    queryKey: queueKeys.work(queueId),
    queryFn: () => unwrap(client.POST("/api/v1/queues/{queue_id}/next", of(queueId))),
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
}

export function annotatorsQuery() {
  return queryOptions({
    queryKey: [...queueKeys.all, "people"],
    queryFn: async ({ signal }) =>
      (await unwrap(client.GET("/api/v1/queues/people", { signal }))).items,
  });
}

export function createQueue(body: QueueIn) {
  return unwrap(client.POST("/api/v1/queues", { body }));
}

export function changeQueue(queueId: string, body: QueuePatch) {
  return unwrap(client.PATCH("/api/v1/queues/{queue_id}", { ...of(queueId), body }));
}

export function deleteQueue(queueId: string) {
  return settle(client.DELETE("/api/v1/queues/{queue_id}", of(queueId)));
}

export function addToQueue(queueId: string, body: QueueItemsIn) {
  return unwrap(client.POST("/api/v1/queues/{queue_id}/items", { ...of(queueId), body }));
}

export function submitAnswer(queueId: string, itemId: string, body: AnswerIn) {
  const path = "/api/v1/queues/{queue_id}/items/{item_id}/answer";
  return settle(client.POST(path, { ...at(queueId, itemId), body }));
}

export function skipItem(queueId: string, itemId: string) {
  return settle(client.POST("/api/v1/queues/{queue_id}/items/{item_id}/skip", at(queueId, itemId)));
}

export function releaseItem(queueId: string, itemId: string) {
  const path = "/api/v1/queues/{queue_id}/items/{item_id}/release";
  return settle(client.POST(path, at(queueId, itemId)));
}

export function goBack(queueId: string) {
  return unwrap(client.POST("/api/v1/queues/{queue_id}/back", of(queueId)));
}

/** Requeue the items that the person skipped, or one item for everybody who skipped it. */
export function requeue(queueId: string, itemId: string | null) {
  const body = { item_id: itemId };
  return unwrap(client.POST("/api/v1/queues/{queue_id}/requeue", { ...of(queueId), body }));
}

export function answersUrl(queueId: string, format: "jsonl" | "csv"): string {
  return withProject(`/api/v1/queues/${queueId}/export?format=${format}`);
}

export function rubricsQuery() {
  return queryOptions({
    queryKey: rubricKeys.all,
    queryFn: async ({ signal }) => (await unwrap(client.GET("/api/v1/rubrics", { signal }))).items,
  });
}

export function presetsQuery() {
  return queryOptions({
    queryKey: [...rubricKeys.all, "presets"],
    queryFn: async ({ signal }) =>
      (await unwrap(client.GET("/api/v1/rubrics/presets", { signal }))).items,
    staleTime: Infinity,
  });
}

export function createRubric(body: RubricIn) {
  return unwrap(client.POST("/api/v1/rubrics", { body }));
}

export function changeRubric(rubricId: string, body: RubricIn) {
  const params = { path: { rubric_id: rubricId } };
  return unwrap(client.PUT("/api/v1/rubrics/{rubric_id}", { params, body }));
}

export function deleteRubric(rubricId: string) {
  const params = { path: { rubric_id: rubricId } };
  return settle(client.DELETE("/api/v1/rubrics/{rubric_id}", { params }));
}
