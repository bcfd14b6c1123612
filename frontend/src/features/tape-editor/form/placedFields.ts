/** The fields of an object with their values and their places in the step. Pure. */
import { joinPointer } from "@/features/tape-editor/form/pointers";
import type { Field, Schema } from "@/features/tape-editor/form/schema";
import { isObject, type JsonObject } from "@/lib/json";

export interface PlacedField extends Field {
  pointer: string;
  value: unknown;
  /** The recorded value; a new step has none. */
  before: unknown;
  hasBefore: boolean;
}

export interface PlacedObject {
  pointer: string;
  value: JsonObject;
  before: unknown;
  hasBefore: boolean;
  fields: readonly Field[];
  /** The schema of further keys; `null` if none are allowed. */
  extra: Schema | null;
}

/** The fields that exist, and those that were recorded and are gone. */
export function placedFields(held: PlacedObject): PlacedField[] {
  const { pointer, value, before, hasBefore, fields, extra } = held;
  const old = isObject(before) ? before : {};
  const gone = Object.keys(old).filter((name) => !fields.some((field) => field.name === name));
  const all = [
    ...fields,
    ...gone.map((name) => ({ name, schema: extra ?? ANYTHING, isRequired: false })),
  ];
  return all.map((field) => ({
    ...field,
    pointer: joinPointer(pointer, field.name),
    value: own(value, field.name),
    before: own(old, field.name),
    hasBefore,
  }));
}

const ANYTHING: Schema = {};

/** Keys on tapes may have any name, even "constructor". */
function own(value: JsonObject, name: string): unknown {
  return Object.hasOwn(value, name) ? value[name] : undefined;
}
