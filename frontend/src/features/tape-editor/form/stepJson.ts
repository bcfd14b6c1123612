/** A whole step as JSON: what it must be, and how one begins. Pure. */
import type { StepJson } from "@/features/tape-editor/draft";
import { blankObject, describe, type Schema } from "@/features/tape-editor/form/schema";
import { isObject } from "@/lib/json";

export const LONGEST_KIND = 100;

/** Why a value can be no step; empty when it can. */
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

/** A step of a kind with its required fields, to begin with. */
export function blankStep(kind: string, schema: Schema): StepJson {
  return { kind, ...blankData(schema) };
}

/** A step with what another class of its kind asks for, and what both have. */
export function stepAs(step: StepJson, schema: Schema): StepJson {
  const names = isObject(schema.properties) ? Object.keys(schema.properties) : [];
  const kept: StepJson = {};
  for (const name of [...names, "metadata"]) if (Object.hasOwn(step, name)) kept[name] = step[name];
  return { kind: step.kind, ...blankData(schema), ...kept };
}

/** What an object of a schema begins with: its required fields. */
export function blankData(schema: Schema): Schema {
  const { shape } = describe(schema, { ...schema, type: "object" }, {});
  return shape.type === "object" ? blankObject(schema, shape.fields) : {};
}
