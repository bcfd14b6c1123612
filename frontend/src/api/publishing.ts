/** The suites that an agent pins, the scores of its versions on them, and publishing a version. */
import { queryOptions } from "@tanstack/react-query";

import { agentKeys, useAgentChange } from "@/api/agents";
import { client, settle, unwrap } from "@/api/client";
import type { OutcomesOn, PublicationIn } from "@/api/types";

const IDLE_MS = 5000;

const keys = {
  pinned: (agentId: string) => [...agentKeys.agent(agentId), "suites"],
  outcomes: (a: string, b: string) => [...agentKeys.all, "outcomes", a, b],
  ready: (agentId: string, versionId: string) => [...agentKeys.agent(agentId), "ready", versionId],
};

/** The suites that an agent pins, with the scores of its versions. */
export function pinnedSuitesQuery(agentId: string) {
  const params = { path: { agent_id: agentId } };
  return queryOptions({
    queryKey: keys.pinned(agentId),
    queryFn: ({ signal }) =>
      unwrap(client.GET("/api/v1/agents/{agent_id}/suites", { params, signal })),
    refetchInterval: IDLE_MS,
  });
}

/** What two versions achieved on the same datasets. */
export function outcomesQuery(a: string, b: string) {
  return queryOptions({
    queryKey: keys.outcomes(a, b),
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/api/v1/agents/versions/outcomes", { params: { query: { a, b } }, signal }),
      ),
    // A sweep may still be going.
    refetchInterval: ({ state }) => (state.data?.some(isOpen) === true ? IDLE_MS : false),
  });
}

function isOpen({ a, b }: OutcomesOn): boolean {
  return [a, b].some((score) => score !== null && score.missing_count > 0);
}

/** Whether a version may be published, and what prevents it. */
export function readinessQuery(agentId: string, versionId: string) {
  const params = { path: { version_id: versionId } };
  return queryOptions({
    queryKey: keys.ready(agentId, versionId),
    queryFn: ({ signal }) =>
      unwrap(client.GET("/api/v1/agents/versions/{version_id}/readiness", { params, signal })),
    refetchInterval: IDLE_MS,
  });
}

export function usePin(agentId: string) {
  return useAgentChange(({ suiteId, isPinned }: { suiteId: string; isPinned: boolean }) => {
    const params = { path: { agent_id: agentId, dataset_id: suiteId } };
    const path = "/api/v1/agents/{agent_id}/suites/{dataset_id}";
    return settle(isPinned ? client.PUT(path, { params }) : client.DELETE(path, { params }));
  });
}

export function usePublish(agentId: string) {
  return useAgentChange((body: PublicationIn) => {
    const params = { path: { agent_id: agentId } };
    return unwrap(client.POST("/api/v1/agents/{agent_id}/publications", { params, body }));
  });
}
