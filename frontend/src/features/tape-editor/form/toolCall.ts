/** A tool call among the values of a step, in the shapes in which providers write it. Pure. */
import {
  type PlacedField,
  placedFields,
  type PlacedObject,
} from "@/features/tape-editor/form/placedFields";
import { joinPointer, parseText } from "@/features/tape-editor/form/pointers";
import { describe, type Schema } from "@/features/tape-editor/form/schema";
import { isObject, type JsonObject } from "@/lib/json";

export interface CallShape {
  /** Chat completions keep name and arguments in an object of their own. */
  isNested: boolean;
  /** The key of the arguments, beside the name. */
  given: string;
}

/** How the object is a tool call; `null`: it is none. */
export function callIn(value: JsonObject): CallShape | null {
  if (isObject(value.function)) {
    // The offer of a tool looks alike; what it says of itself is `parameters`.
    const isCall =
      typeof value.function.name === "string" && !Object.hasOwn(value.function, "parameters");
    return isCall ? { isNested: true, given: "arguments" } : null;
  }
  if (typeof value.name !== "string") return null;
  const given = typeof value.type === "string" ? GIVEN[value.type] : undefined;
  const key = Object.hasOwn(value, "arguments") ? "arguments" : given;
  return key !== undefined && Object.hasOwn(value, key) ? { isNested: false, given: key } : null;
}

/** Where calls of a type hold their arguments if not under that word. */
const GIVEN: Readonly<Record<string, string>> = { tool_call: "args", tool_use: "input" };

export interface CallFields {
  name: PlacedField | undefined;
  given: PlacedField | undefined;
  others: PlacedField[];
}

/** The fields of a call on one level, wherever in it they stand. */
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

/** What a provider needs to tell its calls apart: people seldom write it. */
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

/** The object that arguments are, or that their JSON text is; the same one for the same text, so
 * that fields rest. */
export function decodeArguments(value: unknown): JsonObject | undefined {
  if (typeof value !== "string") return isObject(value) ? value : undefined;
  if (!texts.has(value)) {
    if (texts.size > 50) texts.clear();
    texts.set(value, parseText(value));
  }
  return texts.get(value);
}
