/** What a JSON schema declares about one value, as far as a form can draw it. Pure.
 *
 * Real tapes contain what their schema does not allow: such a value is drawn by its actual shape.
 */
import { isObject } from "@/lib/json";

export type Schema = Record<string, unknown>;

export type Shape =
  | { type: "text"; format: string }
  | { type: "number"; isInteger: boolean }
  | { type: "boolean" }
  | { type: "choice"; choices: readonly (string | number)[] }
  | { type: "object"; fields: readonly Field[]; extra: Schema | null }
  | { type: "list"; items: Schema; itemSchemas: readonly Schema[] }
  | { type: "union"; options: readonly Option[]; chosen: number }
  | { type: "json" };

export interface Field {
  name: string;
  schema: Schema;
  isRequired: boolean;
}

export interface Option {
  title: string;
  schema: Schema;
}

export interface Described {
  shape: Shape;
  description: string;
  isNullable: boolean;
}

const ANYTHING: Schema = {};

/** The format of a text that names a tool: the form offers the known ones. */
export const TOOL_FORMAT = "tool-name";
export const TOOL_NAME: Schema = { type: "string", format: TOOL_FORMAT };

/** How to draw a value: by its schema if it fits, else by its actual shape. */
export function describe(root: Schema, schema: Schema, value: unknown): Described {
  const resolved = resolve(root, schema);
  const { options, isNullable } = alternatives(root, resolved);
  const [only] = options;
  const known = options.length > 1 ? unionOf(root, options, value) : only;
  const shape =
    known === undefined
      ? guessShape(value)
      : "options" in known
        ? known
        : shapeOf(root, known.schema, value);
  const description =
    resolved.description ??
    (known !== undefined && "schema" in known ? known.schema.description : "");
  return {
    shape: fits(shape, value) ? shape : guessShape(value),
    description: typeof description === "string" ? description : "",
    isNullable,
  };
}

const resolvedSchemas = new WeakMap<Schema, Schema>();

/** Follows `$ref` and `allOf`; the same schema gives the same object, so fields are not redrawn. */
export function resolve(root: Schema, schema: Schema): Schema {
  if (schema.$ref === undefined && schema.allOf === undefined) return schema;
  const known = resolvedSchemas.get(schema);
  if (known !== undefined) return known;
  const found = merge(referred(root, schema.$ref, 0), ...partsOf(root, schema.allOf), schema);
  resolvedSchemas.set(schema, found);
  return found;
}

const LONGEST_CHAIN = 20;

function referred(root: Schema, reference: unknown, depth: number): Schema {
  if (typeof reference !== "string" || depth > LONGEST_CHAIN) return ANYTHING;
  const found = reference
    .replace(/^#\//, "")
    .split("/")
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"))
    .reduce<unknown>((at, key) => (isObject(at) ? at[key] : undefined), root);
  if (!isObject(found)) return ANYTHING;
  return merge(referred(root, found.$ref, depth + 1), found);
}

function partsOf(root: Schema, allOf: unknown): Schema[] {
  return schemasIn(allOf).map((part) => merge(referred(root, part.$ref, 0), part));
}

function merge(...schemas: Schema[]): Schema {
  const properties: Schema = {};
  const required: unknown[] = [];
  const merged: Schema = {};
  for (const schema of schemas) {
    Object.assign(merged, schema);
    if (isObject(schema.properties)) Object.assign(properties, schema.properties);
    required.push(...namesIn(schema.required));
  }
  delete merged.$ref;
  delete merged.allOf;
  if (Object.keys(properties).length > 0) Object.assign(merged, { properties, required });
  return merged;
}

interface Alternatives {
  options: readonly Option[];
  isNullable: boolean;
}

function alternatives(root: Schema, schema: Schema): Alternatives {
  const listed = [...schemasIn(schema.anyOf), ...schemasIn(schema.oneOf)];
  const types = Array.isArray(schema.type) ? schema.type : null;
  const all =
    listed.length > 0
      ? listed.map((option) => resolve(root, option))
      : types !== null
        ? types.map((type: unknown) => typed(schema, type))
        : [schema];
  const options = all.filter((option) => option.type !== "null" && option.const !== null);
  return {
    options: options.map((option) => ({ title: titleOf(option), schema: option })),
    isNullable: options.length < all.length,
  };
}

const typedSchemas = new WeakMap<Schema, Map<unknown, Schema>>();

function typed(schema: Schema, type: unknown): Schema {
  const known = typedSchemas.get(schema) ?? new Map<unknown, Schema>();
  typedSchemas.set(schema, known);
  const found = known.get(type) ?? { ...schema, type };
  known.set(type, found);
  return found;
}

function titleOf(schema: Schema): string {
  if (typeof schema.title === "string") return schema.title;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (Array.isArray(schema.enum)) return "choice";
  return typeof schema.type === "string" ? (WORDS[schema.type] ?? schema.type) : "anything";
}

const WORDS: Record<string, string> = {
  string: "text",
  array: "list",
  integer: "whole number",
};

function unionOf(
  root: Schema,
  options: readonly Option[],
  value: unknown,
): Extract<Shape, { type: "union" }> | Option {
  const chosen = options.findIndex(({ schema }) => matches(root, schema, value));
  return { type: "union", options, chosen };
}

/** Whether the value may be of this option, judging by type, constants and required keys. */
function matches(root: Schema, schema: Schema, value: unknown): boolean {
  if (schema.const !== undefined) return schema.const === value;
  if (Array.isArray(schema.enum)) return schema.enum.includes(value);
  if (schema.type === undefined && schema.properties === undefined) return true;
  if (schema.type === "integer" && !Number.isInteger(value)) return false;
  if (!fits(shapeOf(root, schema, value), value)) return false;
  if (!isObject(value)) return true;
  const properties = isObject(schema.properties) ? schema.properties : {};
  if (!namesIn(schema.required).every((name) => Object.hasOwn(value, name))) return false;
  if (
    schema.additionalProperties === false &&
    !Object.keys(value).every((name) => Object.hasOwn(properties, name))
  )
    return false;
  return Object.entries(properties).every(([name, property]) => {
    const fixed = isObject(property) ? property.const : undefined;
    return fixed === undefined || !Object.hasOwn(value, name) || value[name] === fixed;
  });
}

function shapeOf(root: Schema, schema: Schema, value: unknown): Shape {
  const choices = choicesOf(schema);
  if (choices.length > 0) return { type: "choice", choices };
  switch (schema.type) {
    case "string":
      return { type: "text", format: typeof schema.format === "string" ? schema.format : "" };
    case "number":
    case "integer":
      return { type: "number", isInteger: schema.type === "integer" };
    case "boolean":
      return { type: "boolean" };
    case "object":
      return objectShape(schema, value);
    case "array":
      return listShape(root, schema);
    default:
      return isObject(schema.properties) ? objectShape(schema, value) : guessShape(value);
  }
}

function objectShape(schema: Schema, value: unknown): Shape {
  const properties = isObject(schema.properties) ? schema.properties : {};
  const required = namesIn(schema.required);
  const fields = Object.entries(properties).map(([name, property]) => ({
    name,
    schema: isObject(property) ? property : ANYTHING,
    isRequired: required.includes(name),
  }));
  const extra = extraOf(schema);
  const held = isObject(value) ? Object.keys(value) : [];
  const others = held
    .filter((name) => !Object.hasOwn(properties, name))
    .map((name) => ({ name, schema: extra ?? ANYTHING, isRequired: false }));
  return { type: "object", fields: [...fields, ...others], extra };
}

/** The schema of keys beyond the named ones; `null` if none are allowed. */
function extraOf({ additionalProperties: extra }: Schema): Schema | null {
  if (extra === false) return null;
  return isObject(extra) ? extra : ANYTHING;
}

function listShape(root: Schema, schema: Schema): Shape {
  const itemSchemas = schemasIn(schema.prefixItems).map((item) => resolve(root, item));
  return { type: "list", items: isObject(schema.items) ? schema.items : ANYTHING, itemSchemas };
}

function choicesOf(schema: Schema): readonly (string | number)[] {
  const values: readonly unknown[] = Array.isArray(schema.enum)
    ? schema.enum
    : schema.const === undefined
      ? []
      : [schema.const];
  const known = values.filter((value) => typeof value === "string" || typeof value === "number");
  return known.length === values.length ? known : [];
}

/** The shape of a value without a schema. */
export function guessShape(value: unknown): Shape {
  if (typeof value === "string") return { type: "text", format: "" };
  if (typeof value === "number") return { type: "number", isInteger: false };
  if (typeof value === "boolean") return { type: "boolean" };
  if (Array.isArray(value)) return { type: "list", items: ANYTHING, itemSchemas: [] };
  return isObject(value) ? objectShape({}, value) : { type: "json" };
}

function fits(shape: Shape, value: unknown): boolean {
  if (value === undefined || value === null) return true;
  switch (shape.type) {
    case "text":
      return typeof value === "string";
    case "number":
      return typeof value === "number";
    case "boolean":
      return typeof value === "boolean";
    case "choice":
      return typeof value === "string" || typeof value === "number";
    case "object":
      return isObject(value);
    case "list":
      return Array.isArray(value);
    case "union":
    case "json":
      return true;
  }
}

/** A value to start with. */
export function blankValue(root: Schema, schema: Schema, depth = 0): unknown {
  const resolved = resolve(root, schema);
  if (resolved.default !== undefined) return resolved.default;
  const { options, isNullable } = alternatives(root, resolved);
  const [first] = options;
  if (isNullable || first === undefined || depth > LONGEST_CHAIN) return null;
  return blankOf(root, first.schema, depth);
}

function blankOf(root: Schema, schema: Schema, depth: number): unknown {
  if (schema.const !== undefined) return schema.const;
  const shape = shapeOf(root, schema, undefined);
  switch (shape.type) {
    case "text":
      return "";
    case "number":
      return typeof schema.minimum === "number" ? schema.minimum : 0;
    case "boolean":
      return false;
    case "choice":
      return shape.choices[0] ?? "";
    case "list":
      return [];
    case "object":
      return blankObject(root, shape.fields, depth + 1);
    case "union":
    case "json":
      return "";
  }
}

export function blankObject(root: Schema, fields: readonly Field[], depth = 0): Schema {
  return Object.fromEntries(
    fields
      .filter(({ isRequired }) => isRequired)
      .map(({ name, schema }) => [name, blankValue(root, schema, depth)]),
  );
}

/** What an option of a union starts with: its own blanks, and what the value already holds. */
export function convertToOption(root: Schema, option: Option, value: unknown): unknown {
  const blank = blankOf(root, option.schema, 0);
  if (!isObject(blank) || !isObject(value)) return blank;
  const { properties } = option.schema;
  const names = isObject(properties) ? Object.keys(properties) : [];
  const kept = names.filter((name) => Object.hasOwn(value, name) && !isFixed(properties, name));
  return { ...blank, ...Object.fromEntries(kept.map((name) => [name, value[name]])) };
}

function isFixed(properties: unknown, name: string): boolean {
  const property = isObject(properties) ? properties[name] : undefined;
  return isObject(property) && property.const !== undefined;
}

function schemasIn(value: unknown): Schema[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function namesIn(required: unknown): string[] {
  return Array.isArray(required) ? required.filter((name) => typeof name === "string") : [];
}
