/** The kinds of steps that a spec defines, and changes of them: each returns a new spec. Pure. */
import type { DefinedKind, KindField } from "@/api/agentDrafts";
import { settingsOf, withFields, withSettings } from "@/features/agent-editor/draft/specChanges";
import { listAgents } from "@/features/agent-editor/draft/specPlaces";
import { FAMILY_TITLES, TYPE_TITLES } from "@/lib/definedKind";
import { isObject, type JsonObject } from "@/lib/json";

export const BLANK_FIELD: KindField = {
  name: "",
  type: "text",
  description: "",
  required: true,
  choices: [],
};

export const BLANK_KIND: DefinedKind = {
  name: "",
  family: "thought",
  description: "",
  fields: [{ ...BLANK_FIELD, name: "content" }],
};

/** The kinds as they are written, in order; what is no object counts as an empty one. */
export function writtenKinds({ kinds }: JsonObject): JsonObject[] {
  return Array.isArray(kinds) ? kinds.map((kind: unknown) => (isObject(kind) ? kind : {})) : [];
}

/** A kind with all of its fields; what has another type counts as left out. */
export function readKind(written: JsonObject): DefinedKind {
  const fields: unknown[] = Array.isArray(written.fields) ? written.fields : [];
  return {
    name: textOf(written.name),
    family: nameIn(FAMILY_TITLES, written.family) ?? "thought",
    description: textOf(written.description),
    fields: fields.filter(isObject).map(readField),
  };
}

function readField({ name, type, description, required, choices }: JsonObject): KindField {
  return {
    name: textOf(name),
    type: nameIn(TYPE_TITLES, type) ?? "text",
    description: textOf(description),
    required: required !== false,
    choices: Array.isArray(choices) ? choices.filter((choice) => typeof choice === "string") : [],
  };
}

const textOf = (value: unknown) => (typeof value === "string" ? value : "");

/** The name if it is one of a record's. */
export function nameIn<Name extends string>(
  titles: Readonly<Record<Name, string>>,
  wanted: unknown,
): Name | undefined {
  for (const name in titles) if (name === wanted) return name;
  return undefined;
}

/** Names that a node can list among the steps that it may write. */
export function writableKinds(spec: JsonObject): string[] {
  const kinds = writtenKinds(spec).map(readKind);
  return kinds.flatMap(({ name, family }) => (family === "observation" ? [] : [name]));
}

function withKinds(spec: JsonObject, kinds: readonly unknown[]): JsonObject {
  return withFields(spec, "", { kinds: kinds.length === 0 ? undefined : kinds });
}

/** As the server writes it: choices only where there are some. */
function write({ fields, ...kind }: DefinedKind): JsonObject {
  const written = fields.map(({ choices, ...field }) =>
    field.type === "choice" ? { ...field, choices } : field,
  );
  return { ...kind, fields: written };
}

/** Add a kind, and allow it in the node at a path, if one is given and can write it. */
export function withNewKind(spec: JsonObject, kind: DefinedKind, node?: string): JsonObject {
  const added = withKinds(spec, [...writtenKinds(spec), write(kind)]);
  if (node === undefined || kind.family === "observation") return added;
  return withSettings(added, node, { steps: [...stepsOf(spec, node), kind.name] });
}

/** Change a kind; nodes that write it know it by its new name. */
export function withKind(spec: JsonObject, at: number, kind: DefinedKind): JsonObject {
  const before = textOf(writtenKinds(spec)[at]?.name);
  const changed = withKinds(spec, writtenKinds(spec).toSpliced(at, 1, write(kind)));
  return withStepNames(changed, before, kind.name);
}

/** Remove a kind, also from the nodes that write it. */
export function withoutKind(spec: JsonObject, at: number): JsonObject {
  const before = textOf(writtenKinds(spec)[at]?.name);
  return withStepNames(withKinds(spec, writtenKinds(spec).toSpliced(at, 1)), before, null);
}

function withStepNames(spec: JsonObject, before: string, name: string | null): JsonObject {
  const nodes = listAgents(spec).flatMap((agent) => agent.nodes);
  return nodes.reduce((changed, { path }) => {
    const steps = stepsOf(changed, path);
    if (before === name || !steps.includes(before)) return changed;
    const renamed = steps.flatMap((step) => (step === before ? (name ?? []) : step));
    return withSettings(changed, path, { steps: renamed });
  }, spec);
}

function stepsOf(spec: JsonObject, node: string): unknown[] {
  const { steps } = settingsOf(spec, node);
  return Array.isArray(steps) ? steps : [];
}
