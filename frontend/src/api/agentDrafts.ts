/** The draft of an agent: loading, changing, undoing, trying and saving it as a version. */
import { queryOptions } from "@tanstack/react-query";

import { agentKeys } from "@/api/agents";
import { client, settle, unwrap } from "@/api/client";
import type { components } from "@/api/schema";
import { NOTHING_CHOSEN } from "@/api/tapes";
import { withProject } from "@/lib/project";

type Schemas = components["schemas"];

export type AgentDraft = Schemas["Draft"];
export type AgentGraph = Schemas["Graph"];
export type KindField = Required<Schemas["KindField"]>;
/** A kind with every field; on the wire, those with their usual value may be left out. */
export type DefinedKind = Required<Omit<Schemas["DefinedKind"], "fields">> & {
  fields: KindField[];
};
export type DraftPrompt = Schemas["DraftPrompt"];
export type EnvironmentType = Schemas["EnvironmentType"];
export type NodeType = Schemas["NodeType"];
export type TextVariable = Schemas["TextVariable"];
export type SpecProblem = Schemas["Problem"];

const of = (agentId: string) => ({ params: { path: { agent_id: agentId } } });

/** Outside of `agentKeys`: an open editor has a newer draft than the cache. */
const draftKey = (agentId: string) => ["agent-draft", agentId];

export function draftQuery(agentId: string) {
  return queryOptions({
    queryKey: draftKey(agentId),
    queryFn: () => loadDraft(agentId),
    // The editor that opens continues from the newest one.
    gcTime: 0,
    staleTime: Infinity,
    refetchOnWindowFocus: false,
  });
}

export function nodeTypesQuery() {
  return queryOptions({
    queryKey: [...agentKeys.all, "node-types"],
    queryFn: ({ signal }) => unwrap(client.GET("/api/v1/agents/node-types", { signal })),
    staleTime: Infinity,
  });
}

/** Every tool that a node can offer, by the name that a spec gives it. */
export function toolsQuery() {
  return queryOptions({
    queryKey: [...agentKeys.all, "tools"],
    queryFn: ({ signal }) => unwrap(client.GET("/api/v1/agents/tools", { signal })),
    staleTime: Infinity,
  });
}

/** Every type of environment that an agent can name. */
export function environmentsQuery() {
  return queryOptions({
    queryKey: [...agentKeys.all, "environments"],
    queryFn: ({ signal }) => unwrap(client.GET("/api/v1/agents/environments", { signal })),
    staleTime: Infinity,
  });
}

export function loadDraft(agentId: string) {
  return unwrap(client.GET("/api/v1/agents/{agent_id}/draft", of(agentId)));
}

export function putDraft(agentId: string, spec: Record<string, unknown>, revision: number) {
  const body = { spec, revision };
  return unwrap(client.PUT("/api/v1/agents/{agent_id}/draft", { ...of(agentId), body }));
}

export function undoDraft(agentId: string, revision: number) {
  const body = { revision };
  return unwrap(client.POST("/api/v1/agents/{agent_id}/draft/undo", { ...of(agentId), body }));
}

export function redoDraft(agentId: string, revision: number) {
  const body = { revision };
  return unwrap(client.POST("/api/v1/agents/{agent_id}/draft/redo", { ...of(agentId), body }));
}

export function discardDraft(agentId: string) {
  return settle(client.DELETE("/api/v1/agents/{agent_id}/draft", of(agentId)));
}

/** What the draft at a revision changes about the version that it was begun with. */
export function loadChanges(agentId: string, revision: number) {
  const { path } = of(agentId).params;
  const params = { path, query: { revision } };
  return unwrap(client.GET("/api/v1/agents/{agent_id}/draft/changes", { params }));
}

export function saveVersion(
  agentId: string,
  revision: number,
  note: string,
  ignoresNewer: boolean,
) {
  const body = { revision, note, ignores_newer: ignoresNewer };
  return unwrap(client.POST("/api/v1/agents/{agent_id}/draft/save", { ...of(agentId), body }));
}

/** A step of a tape: what the draft is tried on. */
export interface StepPlace {
  tapeId: string;
  position: number;
}

interface PromptAsked extends StepPlace {
  agentId: string;
  spec: Record<string, unknown>;
  /** Grows with each change of the spec, which is too long for a key. */
  serial: number;
}

/** The prompt that a spec makes where a step was written. */
export function draftPromptQuery({ agentId, tapeId, position, spec, serial }: PromptAsked) {
  return queryOptions({
    queryKey: [...draftKey(agentId), "prompt", tapeId, position, serial],
    queryFn: ({ signal }) =>
      unwrap(
        client.POST("/api/v1/agents/{agent_id}/draft/prompt", {
          ...of(agentId),
          body: { tape_id: tapeId, position, spec },
          signal,
        }),
      ),
    retry: false,
    staleTime: Infinity,
    gcTime: 10_000,
    refetchOnWindowFocus: false,
  });
}

/** Fork the tape before the node run that wrote the step, and run the draft from there. */
export function runDraft(
  agentId: string,
  revision: number,
  { tapeId, position }: StepPlace,
  modelId: string | null,
) {
  const request = { ...NOTHING_CHOSEN, model_id: modelId, parameters: {} };
  return unwrap(
    client.POST("/api/v1/agents/{agent_id}/draft/run", {
      ...of(agentId),
      body: { revision, tape_id: tapeId, position, request },
    }),
  );
}

/** The file of an agent, and those that it may name. */
export type AgentFiles = Required<components["schemas"]["AgentFileIn"]>;

export function importAgent(files: AgentFiles) {
  return unwrap(client.POST("/api/v1/agents/import", { body: files }));
}

/** A version without the node classes of plugins, or what only their code decides. */
export function plainCopyQuery(versionId: string) {
  return queryOptions({
    queryKey: [...agentKeys.all, "plain-copy", versionId],
    queryFn: ({ signal }) => {
      const params = { path: { version_id: versionId } };
      return unwrap(
        client.GET("/api/v1/agents/versions/{version_id}/plain-copy", { params, signal }),
      );
    },
    staleTime: Infinity,
  });
}

/** Where a version can be downloaded as YAML. */
export function yamlAddress(versionId: string): string {
  return withProject(`/api/v1/agents/versions/${encodeURIComponent(versionId)}/yaml`);
}
