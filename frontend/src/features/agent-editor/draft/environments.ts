/** The environments of a spec as a list, however it is written. Pure. */
import { withFields } from "@/features/agent-editor/draft/specChanges";
import { isObject, type JsonObject } from "@/lib/json";

export interface Environment {
  /** A registered type; empty: the tools of the nodes, and the person. */
  name: string;
  /** `undefined` for a type that is named alone. */
  settings?: JsonObject;
}

export function listEnvironments({ environment = "" }: JsonObject): Environment[] {
  return Array.isArray(environment) ? environment.map(read) : [read(environment)];
}

/** Without any, the usual one answers; one is written without a list. */
export function withEnvironments(spec: JsonObject, all: readonly Environment[]): JsonObject {
  const written = all.map(write);
  return withFields(spec, "", { environment: written.length > 1 ? written : (written[0] ?? "") });
}

function read(one: unknown): Environment {
  if (!isObject(one)) return { name: typeof one === "string" ? one : "" };
  const name = typeof one.type === "string" ? one.type : "";
  return { name, settings: isObject(one.settings) ? one.settings : {} };
}

function write({ name, settings }: Environment): unknown {
  return settings === undefined ? name : { type: name, settings };
}
