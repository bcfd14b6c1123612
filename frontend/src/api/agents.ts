import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";

import { client, unwrap } from "@/api/client";
import type { AgentSpec } from "@/api/types";

export const agentKeys = {
  all: ["agents"],
  use: ["agents", "use"],
  agent: (id: string) => ["agents", id],
};

export function agentsQuery() {
  return queryOptions({
    queryKey: agentKeys.all,
    queryFn: ({ signal }) => unwrap(client.GET("/api/v1/agents", { signal })),
  });
}

/** What the tapes of each agent say of it; agents without tapes are left out. */
export function agentUseQuery() {
  return queryOptions({
    queryKey: agentKeys.use,
    queryFn: ({ signal }) => unwrap(client.GET("/api/v1/agents/use", { signal })),
  });
}

export function agentQuery(agentId: string) {
  return queryOptions({
    queryKey: agentKeys.agent(agentId),
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/api/v1/agents/{agent_id}", {
          params: { path: { agent_id: agentId } },
          signal,
        }),
      ),
  });
}

/** The differences between the specs of two versions. */
export function agentDiffQuery(left: string, right: string) {
  return queryOptions({
    queryKey: ["agents", "diff", left, right],
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/api/v1/agents/diff", { params: { query: { a: left, b: right } }, signal }),
      ),
    // A version never changes.
    staleTime: Infinity,
  });
}

/** The agents that ship with the studio or come from plugins. */
/** Change the note on a version, which is all of it that ever changes. */
export function useVersionNote() {
  return useAgentChange(({ versionId, note }: { versionId: string; note: string }) => {
    const params = { path: { version_id: versionId } };
    return unwrap(
      client.PUT("/api/v1/agents/versions/{version_id}/note", { params, body: { note } }),
    );
  });
}

/** A change of an agent, after which all that is known of agents is asked for again. */
export function useAgentChange<Asked, Answered>(mutationFn: (asked: Asked) => Promise<Answered>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn,
    onSettled: () => queries.invalidateQueries({ queryKey: agentKeys.all }),
  });
}

export function galleryQuery() {
  return queryOptions({
    queryKey: ["gallery"],
    queryFn: ({ signal }) => unwrap(client.GET("/api/v1/gallery", { signal })),
    staleTime: Infinity,
  });
}

export function addAgent(spec: AgentSpec) {
  return unwrap(client.POST("/api/v1/agents", { body: { spec } }));
}
