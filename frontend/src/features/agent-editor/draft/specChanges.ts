/** Changes of a spec: each returns a new one. Pure. */
import { agentOf, isNodePath, numberOf, objectAt } from "@/features/agent-editor/draft/specPlaces";
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

/** Add a node of a type after the node at a place, or at the end of the agent there; with its path. */
export function withNode(
  spec: JsonObject,
  place: string,
  type: string,
): { spec: JsonObject; path: string } {
  const agent = isNodePath(place) ? agentOf(place) : place;
  const nodes = listIn(spec, agent, "nodes");
  const at = isNodePath(place) ? numberOf(place) + 1 : nodes.length;
  const taken = nodes.map((node) => (isObject(node) ? nameIn(node.settings) : ""));
  const name = freeName(wordsOf(type), taken);
  const added = nodes.toSpliced(at, 0, { type, settings: { name } });
  return { spec: withFields(spec, agent, { nodes: added }), path: `${agent}/nodes/${at}` };
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

/** Rename a node, also where the nodes of its agent name it: next ones, routes, references. */
export function withName(spec: JsonObject, path: string, name: string): JsonObject {
  const agent = agentOf(path);
  const before = nameIn(settingsOf(spec, path));
  const nodes = listIn(spec, agent, "nodes").map((node, at): unknown => {
    if (!isObject(node)) return node;
    const settings = isObject(node.settings) ? node.settings : {};
    const renamed = replaceNamed(settings, before, name, (key) => !NO_NODE.has(key));
    return { ...node, settings: at === numberOf(path) ? { ...renamed, name } : renamed };
  });
  return withFields(spec, agent, { nodes });
}

/** Settings whose text never names a node, even if it is the same. */
const NO_NODE: ReadonlySet<string> = new Set([
  ...["name", "llm", "system", "guidance", "template", "template_name", "kind", "kinds", "steps"],
  ...["tools", "subagent", "content", "text", "reason", "value", "field", "type", "tool_choice"],
]);

/** Rename a subagent, also where the nodes of its manager name it. */
export function withMemberName(spec: JsonObject, path: string, name: string): JsonObject {
  const { agent, at } = ownerOf(path);
  const before = nameIn(objectAt(spec, path));
  const isMember = (key: string) => /agent|member|speaker/.test(key);
  const nodes = withSettingsOfAll(spec, agent, (settings) =>
    replaceNamed(settings, before, name, isMember),
  );
  const members = listIn(spec, agent, "subagents").map((member, number) =>
    number === at && isObject(member) ? { ...member, name } : member,
  );
  return withFields(spec, agent, { nodes, subagents: members });
}

export function siblingNames(spec: JsonObject, path: string): string[] {
  return listIn(spec, ownerOf(path).agent, "subagents").map(nameIn);
}

/** Rename a model of an agent, also where its nodes use it. */
export function withModelName(
  spec: JsonObject,
  agent: string,
  before: string,
  name: string,
): JsonObject {
  const { llms } = objectAt(spec, agent);
  const known = Object.entries(isObject(llms) ? llms : {});
  const renamed = known.map(([key, llm]) => [key === before ? name : key, llm] as const);
  const nodes = withSettingsOfAll(spec, agent, (settings) =>
    (settings.llm ?? "default") === before ? { ...settings, llm: name } : settings,
  );
  return withFields(spec, agent, { llms: Object.fromEntries(renamed), nodes });
}

function withSettingsOfAll(
  spec: JsonObject,
  agent: string,
  change: (settings: JsonObject) => JsonObject,
): unknown[] {
  return listIn(spec, agent, "nodes").map((node) =>
    isObject(node)
      ? { ...node, settings: change(isObject(node.settings) ? node.settings : {}) }
      : node,
  );
}

/** Replace a text wherever it is the value of a key that may hold such a name. */
function replaceNamed(
  value: JsonObject,
  before: string,
  name: string,
  mayName: (key: string) => boolean,
): JsonObject {
  const replace = (key: string, part: unknown): unknown => {
    if (typeof part === "string") {
      return before !== "" && part === before && mayName(key) ? name : part;
    }
    if (Array.isArray(part)) return part.map((one: unknown) => replace(key, one));
    return isObject(part) ? replaceNamed(part, before, name, mayName) : part;
  };
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, replace(key, part)]));
}

/** Settings that name another node of the same agent. */
export const GO_TO: ReadonlySet<string> = new Set([
  "next_node",
  "after_answer",
  "after_tools",
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
