/** A tool call among the values of a step, in the shapes that providers use. Pure. */
import {
  type PlacedField,
  placedFields,
  type PlacedObject,
} from "@/features/tape-editor/form/placedFields";
import { joinPointer, parseText } from "@/features/tape-editor/form/pointers";
import { describe, type Schema } from "@/features/tape-editor/form/schema";
import { isObject, type JsonObject } from "@/lib/json";

export interface CallShape {
  /** Chat completions keep name and arguments in a nested object. */
  isNested: boolean;
  /** The key of the arguments, next to the name. */
  given: string;
}

/** The shape of the object as a tool call; `null` if it is not one. */
export function callIn(value: JsonObject): CallShape | null {
  if (isObject(value.function)) {
    // A tool definition looks similar, but it has `parameters`.
    const isCall =
      typeof value.function.name === "string" && !Object.hasOwn(value.function, "parameters");
    return isCall ? { isNested: true, given: "arguments" } : null;
  }
  if (typeof value.name !== "string") return null;
  const given = typeof value.type === "string" ? GIVEN[value.type] : undefined;
  const key = Object.hasOwn(value, "arguments") ? "arguments" : given;
  return key !== undefined && Object.hasOwn(value, key) ? { isNested: false, given: key } : null;
}

/** Where calls of a type keep their arguments if not under `arguments`. */
const GIVEN: Readonly<Record<string, string>> = { tool_call: "args", tool_use: "input" };

export interface CallFields {
  name: PlacedField | undefined;
  given: PlacedField | undefined;
  others: PlacedField[];
}

/** The fields of a call on one level, wherever they are in it. */
export function callFields(root: Schema, held: PlacedObject, call: CallShape): CallFields {
  const outer = placedFields(held);
  const inner = outer.find(({ name }) => call.isNested && name === "function");
  const holder = inner?.pointer ?? held.pointer;
  const all = outer.flatMap((field) => (field === inner ? fieldsIn(root, field) : [field]));
  const name = all.find(({ pointer }) => pointer === joinPointer(holder, "name"));
  const given = all.find(({ pointer }) => pointer === joinPointer(holder, call.given));
  return { name, given, others: all.filter((field) => field !== name && field !== given) };
}

function fieldsIn(root: Schema, field: PlacedField): PlacedField[] {
  const { shape } = describe(root, field.schema, field.value);
  if (shape.type !== "object" || !isObject(field.value)) return [];
  const { pointer, value, before, hasBefore } = field;
  const { fields, extra } = shape;
  return placedFields({ pointer, value, before, hasBefore, fields, extra });
}

/** What a provider needs to identify its calls: people rarely write it. */
export function isPlumbing(name: string): boolean {
  return PLUMBING.has(name);
}

const PLUMBING = new Set([
  "id",
  "type",
  "index",
  "call_id",
  "tool_call_id",
  "caller",
  "extra_content",
  "provider_specific_fields",
]);

const texts = new Map<string, JsonObject | undefined>();

/** The arguments as an object, parsed if they are JSON text; the same text returns the same object,
 * so fields are not redrawn. */
export function decodeArguments(value: unknown): JsonObject | undefined {
  if (typeof value !== "string") return isObject(value) ? value : undefined;
  if (!texts.has(value)) {
    if (texts.size > 50) texts.clear();
    texts.set(value, parseText(value));
  }
  return texts.get(value);
}
