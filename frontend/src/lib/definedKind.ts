/** Kinds of steps that an agent defines, as its spec has them, in words. Pure, and safe on any JSON. */
import { isObject, type JsonObject } from "@/lib/json";

export const FAMILY_TITLES = {
  thought: "a thought",
  action: "an action",
  stop: "an action that ends the tape",
  observation: "an observation",
} as const;

export const TYPE_TITLES = {
  text: "text",
  number: "number",
  whole_number: "whole number",
  yes_no: "yes or no",
  choice: "choice",
  texts: "list of texts",
} as const;

/** "Verdict, a thought: label (true or false), reason (text, optional)" */
export function describeKind(kind: JsonObject): string {
  const family = titleIn(FAMILY_TITLES, kind.family ?? "thought");
  const fields = listIn(kind.fields).filter(isObject).map(describeField);
  return `${textOf(kind.name)}, ${family}${fields.length > 0 ? `: ${fields.join(", ")}` : ""}`;
}

function describeField(field: JsonObject): string {
  const choices = listIn(field.choices).map(textOf);
  const type =
    field.type === "choice" && choices.length > 0
      ? choices.join(" or ")
      : titleIn(TYPE_TITLES, field.type ?? "text");
  return `${textOf(field.name)} (${type}${field.required === false ? ", optional" : ""})`;
}

function titleIn(titles: Readonly<Record<string, string>>, name: unknown): string {
  const known = textOf(name);
  return Object.hasOwn(titles, known) ? (titles[known] ?? known) : known;
}

function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

const textOf = (value: unknown) => (typeof value === "string" ? value : "");
