/** Where the agents and nodes of a spec are, as JSON pointers. Pure, and safe on any JSON. */
import { isObject, type JsonObject } from "@/lib/json";
import { findValue } from "@/lib/jsonPointer";

export interface NodePlace {
  path: string;
  name: string;
  type: string;
}

export interface AgentPlace {
  /** "" for the root, "/subagents/0" for a member. */
  path: string;
  /** The names from the root down: "analyst/search". */
  fullName: string;
  name: string;
  depth: number;
  nodes: readonly NodePlace[];
}

/** The team, the root first and each member after its manager. A bomb is cut at `MOST`. */
export function listAgents(spec: JsonObject): AgentPlace[] {
  const found: AgentPlace[] = [];
  const walk = (agent: JsonObject, path: string, above: string, depth: number) => {
    if (found.length >= MOST || depth > DEEPEST) return;
    const name = textOf(agent.name);
    const fullName = above === "" ? name : `${above}/${name}`;
    const nodes = objectsIn(agent.nodes).map(({ value, at }): NodePlace =>
      placeOf(value, `${path}/nodes/${at}`),
    );
    found.push({ path, fullName, name, depth, nodes: nodes.slice(0, MOST) });
    for (const { value, at } of objectsIn(agent.subagents))
      walk(value, `${path}/subagents/${at}`, fullName, depth + 1);
  };
  walk(spec, "", "", 0);
  return found;
}

const MOST = 1000;
const DEEPEST = 20;

function placeOf(node: JsonObject, path: string): NodePlace {
  const type = textOf(node.type);
  const settings = isObject(node.settings) ? node.settings : {};
  return { path, type, name: textOf(settings.name) || (type.split(".").at(-1) ?? type) };
}

function objectsIn(list: unknown): { value: JsonObject; at: number }[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((value: unknown, at) => (isObject(value) ? [{ value, at }] : []));
}

const textOf = (value: unknown) => (typeof value === "string" ? value : "");

const NODE = /^(.*)\/nodes\/(\d+)(?:\/(.*))?$/s;
const AGENT = /^((?:\/subagents\/\d+)*)(?:\/(.*))?$/s;

export interface SplitPlace {
  /** The node or agent that a pointer leads into. */
  path: string;
  /** The rest of the pointer, inside it: "/settings/next_node". */
  field: string;
}

/** The node that a pointer is in, or else the agent. */
export function splitPlace(pointer: string): SplitPlace {
  const node = NODE.exec(pointer);
  if (node !== null && node[1] !== undefined && node[2] !== undefined) {
    const path = `${node[1]}/nodes/${node[2]}`;
    return { path, field: pointer.slice(path.length) };
  }
  const path = AGENT.exec(pointer)?.[1] ?? "";
  return { path, field: pointer.slice(path.length) };
}

export function isNodePath(path: string): boolean {
  return NODE.test(path);
}

/** The agent that a node belongs to. */
export function agentOf(path: string): string {
  return NODE.exec(path)?.[1] ?? path;
}

/** The position of a node in its agent. */
export function numberOf(path: string): number {
  return Number(NODE.exec(path)?.[2] ?? -1);
}

/** The place of the node that wrote a step; the root may have had another name then. */
export function findWriter(spec: JsonObject, agent: string, node: string): string | null {
  if (node === "") return null;
  const inside = agent.split("/").slice(1).join("/");
  const member = listAgents(spec).find(
    ({ fullName }) => fullName.split("/").slice(1).join("/") === inside,
  );
  return member?.nodes.find(({ name }) => name === node)?.path ?? null;
}

/** An object inside the spec; empty if there is none. */
export function objectAt(spec: JsonObject, path: string): JsonObject {
  const value = path === "" ? spec : findValue(spec, path);
  return isObject(value) ? value : {};
}

/** Whether there is an agent or a node. */
export function isPlace(spec: JsonObject, path: string): boolean {
  return path === "" || isObject(findValue(spec, path));
}
