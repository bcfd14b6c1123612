/** Schema violations of a value, by JSON pointer; the checker is loaded when it is first needed. */
import { joinPointer, splitPointer } from "@/features/tape-editor/form/pointers";
import type { Schema } from "@/features/tape-editor/form/schema";

export type Problems = ReadonlyMap<string, string>;
export const NO_PROBLEMS: Problems = new Map();

export async function findProblems(schema: Schema, value: unknown): Promise<Problems> {
  const { Validator } = await import("@cfworker/json-schema");
  try {
    const { errors } = new Validator(schema, "2020-12", false).validate(value);
    return placed(errors);
  } catch {
    // The checker cannot read this schema: the server decides anyway.
    return NO_PROBLEMS;
  }
}

interface Complaint {
  instanceLocation: string;
  keyword: string;
  keywordLocation: string;
  error: string;
}

/** One sentence per place. Keywords that only state that something inside is wrong are skipped. */
function placed(errors: readonly Complaint[]): Problems {
  const found = new Map<string, string>();
  // "Nothing fits" errors come last: the checker counts a field that is known but wrong as unknown.
  const unknownLast = errors.toSorted((one, other) => rank(one) - rank(other));
  for (const { instanceLocation, keyword, error } of unknownLast) {
    const pointer = instanceLocation.replace(/^#/, "");
    if (OUTER.has(keyword) || (isVague(keyword) && hasInside(found, pointer))) continue;
    const [place, sentence] = explain(pointer, keyword, error);
    if (!found.has(place)) found.set(place, sentence);
  }
  return found;
}

const UNKNOWN = "false";

function isVague(keyword: string): boolean {
  return keyword === UNKNOWN || keyword === "anyOf" || keyword === "oneOf";
}

function rank({ keyword }: Complaint): number {
  return isVague(keyword) ? 1 : 0;
}

function hasInside(found: Problems, pointer: string): boolean {
  return [...found.keys()].some((place) => place === pointer || place.startsWith(`${pointer}/`));
}

const OUTER = new Set([
  "properties",
  "items",
  "prefixItems",
  "allOf",
  "$ref",
  "additionalProperties",
  "dependentSchemas",
  "if",
  "then",
  "else",
]);
const QUOTED = /"([^"]+)"/;

function explain(pointer: string, keyword: string, error: string): [string, string] {
  const [, named = ""] = QUOTED.exec(error) ?? [];
  switch (keyword) {
    case "required":
      return [joinPointer(pointer, named), "This field is required."];
    case UNKNOWN:
      return [pointer, "This kind of step does not have this field."];
    case "type":
      return [pointer, `This must be ${expectedIn(error)}.`];
    default:
      return [pointer, sentenceOf(error)];
  }
}

function expectedIn(error: string): string {
  const names = EXPECTED.exec(error)?.[1] ?? "";
  return names
    .replaceAll('"', "")
    .split(", ")
    .map((name) => TYPES[name] ?? name)
    .join(" or ");
}

const TYPES: Record<string, string> = {
  string: "text",
  number: "a number",
  integer: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
};
const EXPECTED = /Expected (.+?)\.?$/;

function sentenceOf(error: string): string {
  return error.endsWith(".") ? error : `${error}.`;
}

/** The problems at a place and inside it, for a place whose inside is not drawn. */
export function problemsInside(problems: Problems, pointer: string): string[] {
  const found: string[] = [];
  for (const [place, message] of problems) {
    if (place === pointer) found.push(message);
    else if (place.startsWith(`${pointer}/`)) {
      found.push(`${splitPointer(place.slice(pointer.length)).join(".")}: ${message}`);
    }
  }
  return found;
}
