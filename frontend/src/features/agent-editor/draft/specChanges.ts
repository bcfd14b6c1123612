/** Changes of a spec: each returns a new one. Pure. */
import { agentOf, numberOf, objectAt } from "@/features/agent-editor/draft/specPlaces";
import { isObject, type JsonObject } from "@/lib/json";
import { replaceValue } from "@/lib/jsonPointer";

/** Set fields of the agent or node at a path; `undefined` removes one. */
export function withFields(spec: JsonObject, path: string, fields: JsonObject): JsonObject {
  const merged = Object.entries({ ...objectAt(spec, path), ...fields });
  const now = Object.fromEntries(merged.filter(([, value]) => value !== undefined));
  const changed = replaceValue(spec, path, now);
  return isObject(changed) ? changed : spec;
}

export function settingsOf(spec: JsonObject, path: string): JsonObject {
  const { settings } = objectAt(spec, path);
  return isObject(settings) ? settings : {};
}

/** Replace settings of a node; `undefined` removes one. */
export function withSettings(spec: JsonObject, path: string, settings: JsonObject): JsonObject {
  const merged = Object.entries({ ...settingsOf(spec, path), ...settings });
  const now = Object.fromEntries(merged.filter(([, value]) => value !== undefined));
  return withFields(spec, path, { settings: now });
}

export function templatesOf(spec: JsonObject, agent: string): JsonObject {
  const { templates } = objectAt(spec, agent);
  return isObject(templates) ? templates : {};
}

/** Set a template of an agent; `undefined` removes it. */
export function withTemplate(
  spec: JsonObject,
  agent: string,
  name: string,
  value: unknown,
): JsonObject {
  const merged = Object.entries({ ...templatesOf(spec, agent), [name]: value });
  const templates = Object.fromEntries(merged.filter(([, kept]) => kept !== undefined));
  return withFields(spec, agent, { templates });
}

function listIn(spec: JsonObject, agent: string, name: "nodes" | "subagents"): readonly unknown[] {
  const list = objectAt(spec, agent)[name];
  return Array.isArray(list) ? list : [];
}

/** Add a node of a type at the end of an agent; returns its path too. */
export function withNode(
  spec: JsonObject,
  agent: string,
  type: string,
): { spec: JsonObject; path: string } {
  const nodes = listIn(spec, agent, "nodes");
  const taken = nodes.map((node) => (isObject(node) ? nameIn(node.settings) : ""));
  const name = freeName(wordsOf(type), taken);
  const added = [...nodes, { type, settings: { name } }];
  return {
    spec: withFields(spec, agent, { nodes: added }),
    path: `${agent}/nodes/${nodes.length}`,
  };
}

export function withMember(spec: JsonObject, agent: string): { spec: JsonObject; path: string } {
  const members = listIn(spec, agent, "subagents");
  const taken = members.map((member) => nameIn(member));
  const member = { ...BLANK_MEMBER, name: freeName("helper", taken) };
  return {
    spec: withFields(spec, agent, { subagents: [...members, member] }),
    path: `${agent}/subagents/${members.length}`,
  };
}

const BLANK_MEMBER = {
  description: "",
  templates: { system: "" },
  nodes: [{ type: "engine.TalkNode", settings: { name: "answer" } }],
};

/** Remove a node or a subagent. */
export function withoutPlace(spec: JsonObject, path: string): JsonObject {
  const { agent, name, at } = ownerOf(path);
  return withFields(spec, agent, { [name]: listIn(spec, agent, name).toSpliced(at, 1) });
}

/** Move a node among those of its agent. */
export function withMoved(spec: JsonObject, path: string, by: 1 | -1): JsonObject {
  const agent = agentOf(path);
  const nodes = listIn(spec, agent, "nodes");
  const from = numberOf(path);
  const to = from + by;
  if (to < 0 || to >= nodes.length) return spec;
  return withFields(spec, agent, { nodes: nodes.toSpliced(from, 1).toSpliced(to, 0, nodes[from]) });
}

function ownerOf(path: string): { agent: string; name: "nodes" | "subagents"; at: number } {
  const parts = path.split("/");
  const name = parts.at(-2) === "nodes" ? "nodes" : "subagents";
  return { agent: parts.slice(0, -2).join("/"), name, at: Number(parts.at(-1)) };
}

/** Rename a node, also where the other nodes of its agent name it as the next one. */
export function withName(spec: JsonObject, path: string, name: string): JsonObject {
  const agent = agentOf(path);
  const before = nameIn(settingsOf(spec, path));
  const nodes = listIn(spec, agent, "nodes").map((node, at): unknown => {
    if (!isObject(node)) return node;
    const settings = isObject(node.settings) ? node.settings : {};
    if (at === numberOf(path)) return { ...node, settings: { ...settings, name } };
    const isNamed = ([key, value]: [string, unknown]) =>
      GO_TO.has(key) && before !== "" && value === before;
    if (!Object.entries(settings).some(isNamed)) return node;
    const renamed = Object.entries(settings).map((entry): [string, unknown] =>
      isNamed(entry) ? [entry[0], name] : entry,
    );
    return { ...node, settings: Object.fromEntries(renamed) };
  });
  return withFields(spec, agent, { nodes });
}

/** Settings that name another node of the same agent. */
export const GO_TO: ReadonlySet<string> = new Set([
  "next_node",
  "after_answer",
  "then",
  "otherwise",
]);

function nameIn(value: unknown): string {
  return isObject(value) && typeof value.name === "string" ? value.name : "";
}

/** "builders.MonoNode" becomes "mono". */
function wordsOf(type: string): string {
  const own = (type.split(".").at(-1) ?? type).replace(/Node$/, "");
  return own.replaceAll(/(?<=[a-z])(?=[A-Z])/g, "_").toLowerCase() || "node";
}

export function freeName(wanted: string, taken: readonly string[]): string {
  if (!taken.includes(wanted)) return wanted;
  let number = 2;
  while (taken.includes(`${wanted}_${number}`)) number += 1;
  return `${wanted}_${number}`;
}
