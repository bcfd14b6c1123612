/** A complete step as JSON: what is required of it, and how a new one starts. Pure. */
import type { StepJson } from "@/features/tape-editor/draft";
import { blankObject, describe, type Schema } from "@/features/tape-editor/form/schema";
import { isObject } from "@/lib/json";

export const LONGEST_KIND = 100;

/** Why a value cannot be a step; empty if it can. */
export function explainStep(value: unknown): string {
  if (!isObject(value)) return "A step is a JSON object: { … }.";
  const { kind } = value;
  if (typeof kind !== "string" || kind === "") return 'A step needs a "kind", which is text.';
  return explainKind(kind);
}

export function explainKind(kind: string): string {
  if (kind.length <= LONGEST_KIND) return "";
  return `A kind can have at most ${LONGEST_KIND} characters; this one has ${kind.length}.`;
}

/** A new step of a kind, with its required fields. */
export function blankStep(kind: string, schema: Schema): StepJson {
  return { kind, ...blankData(schema) };
}

/** The step as another class of its kind: that class's required fields, and those both have. */
export function convertStep(step: StepJson, schema: Schema): StepJson {
  const names = isObject(schema.properties) ? Object.keys(schema.properties) : [];
  const kept: StepJson = {};
  for (const name of [...names, "metadata"]) if (Object.hasOwn(step, name)) kept[name] = step[name];
  return { kind: step.kind, ...blankData(schema), ...kept };
}

/** What an object of a schema starts with: its required fields. */
export function blankData(schema: Schema): Schema {
  const { shape } = describe(schema, { ...schema, type: "object" }, {});
  return shape.type === "object" ? blankObject(schema, shape.fields) : {};
}
