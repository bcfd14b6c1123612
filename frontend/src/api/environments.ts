/** What answers agents: MCP servers, types of environments, tools; and checking them. */
import { queryOptions } from "@tanstack/react-query";

import { client, settle, unwrap } from "@/api/client";
import type { components } from "@/api/schema";

type Schemas = components["schemas"];

export type Environments = Schemas["Environments"];
export type Environment = Schemas["EnvironmentRow"];
export type EnvironmentTool = Schemas["EnvironmentTool"];
export type EnvironmentFailure = Schemas["EnvironmentFailure"];
export type Health = Schemas["Health"];
export type ServerTool = Schemas["ShownTool"];
export type ToolChoice = Schemas["ToolChoiceIn"];

export const environmentKeys = { all: ["environments"] };

export function environmentsQuery() {
  return queryOptions({
    queryKey: environmentKeys.all,
    queryFn: ({ signal }) => unwrap(client.GET("/api/v1/environments", { signal })),
  });
}

/** Starts a job that checks an environment; one that is under way is returned. */
export function checkEnvironment(name: string) {
  return unwrap(client.POST("/api/v1/environments/checks", { body: { name } }));
}

/** Adds the servers of an `mcpServers` object; the answer names variables that are to be set. */
export function addServers(servers: Record<string, unknown>) {
  return unwrap(client.POST("/api/v1/environments/servers", { body: { servers } }));
}

export function removeServer(server: string) {
  const params = { path: { server } };
  return settle(client.DELETE("/api/v1/environments/servers/{server}", { params }));
}

/** The tools of an MCP server: how they were allowed, and how it offers them. */
export function serverToolsQuery(server: string) {
  const params = { path: { server } };
  return queryOptions({
    queryKey: [...environmentKeys.all, "tools", server],
    queryFn: ({ signal }) =>
      unwrap(client.GET("/api/v1/environments/servers/{server}/tools", { params, signal })),
  });
}

/** Lets agents use these tools of a server, and no others of it. */
export function allowTools(server: string, tools: ToolChoice[]) {
  const params = { path: { server } };
  return unwrap(
    client.PUT("/api/v1/environments/servers/{server}/tools", { params, body: { tools } }),
  );
}
