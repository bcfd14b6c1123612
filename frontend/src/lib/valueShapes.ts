/** The shape of a tape's value: an address, an image, code, JSON written as text. */
import { isObject, type JsonObject } from "@/lib/json";
import { isDrawable } from "@/lib/raster";

export const SHORT = 60;

export function prettyJson(value: unknown): string {
  // `stringify` returns undefined for undefined, despite its type.
  const text: unknown = JSON.stringify(value, null, 2);
  return typeof text === "string" ? text : "";
}

/** The value on one line, if that line is short; computed without serializing a long value. */
export function shortJson(value: unknown): string | null {
  if (!isSmall(value)) return null;
  const line = oneLine(prettyJson(value));
  return line.length <= SHORT ? line : null;
}

export function oneLine(json: string): string {
  return json.replaceAll(/\n\s*/g, " ");
}

const SMALL = 24;

function isSmall(value: unknown): boolean {
  let room = SMALL;
  const fits = (item: unknown): boolean => {
    room -= 1;
    if (room < 0) return false;
    if (typeof item === "string") return item.length <= SHORT;
    if (Array.isArray(item)) return item.length <= room && item.every(fits);
    if (isObject(item)) return Object.values(item).every(fits);
    return true;
  };
  return fits(value);
}

const ADDRESS = /^https?:\/\/[^\s<>"']{1,2000}$/i;

/** A web address that is safe to link; nothing else becomes a link. */
export function readAddress(text: string): URL | null {
  return ADDRESS.test(text) ? parseAddress(text) : null;
}

const FOLLOWED = new Set(["http:", "https:", "mailto:"]);

export function parseAddress(text: string): URL | null {
  if (!URL.canParse(text)) return null;
  const address = new URL(text);
  return FOLLOWED.has(address.protocol) ? address : null;
}

const RASTER = /^data:image\/(png|jpeg|gif|webp);base64,[a-z0-9+/=\s]+$/i;
const LARGEST_IMAGE = 8_000_000;

/** An image that is embedded in the tape, in a format that cannot contain scripts or links. */
export function isSafeImage(text: string): boolean {
  if (!text.startsWith("data:image/") || text.length > LARGEST_IMAGE) return false;
  return RASTER.test(text) && isDrawable(text);
}

const LONGEST_PARSED = 200_000;

/** The parsed value of JSON inside a text; only objects and lists are more useful than the text. */
export function readJsonText(text: string): JsonObject | unknown[] | null {
  const first = text.trimStart().charAt(0);
  if ((first !== "{" && first !== "[") || text.length > LONGEST_PARSED) return null;
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) || isObject(value) ? value : null;
  } catch {
    return null;
  }
}

export function isListOfRecords(value: readonly unknown[]): value is readonly JsonObject[] {
  return value.length > 0 && value.every(isObject);
}

/** Rows without names, as from a spreadsheet: lists of short values, all equally long. */
export function isListOfRows(value: readonly unknown[]): value is readonly (readonly unknown[])[] {
  const [first] = value;
  if (!Array.isArray(first) || first.length < 2 || first.length > WIDEST_ROW) return false;
  return value.every(
    (row) => Array.isArray(row) && row.length === first.length && row.every(isScalar),
  );
}

const WIDEST_ROW = 16;

function isScalar(value: unknown): boolean {
  return value === null || typeof value !== "object";
}

export function isListOfTexts(value: readonly unknown[]): value is readonly string[] {
  return value.length > 0 && value.every((item) => typeof item === "string");
}

const LANGUAGES: Record<string, string> = {
  py: "python",
  python: "python",
  python3: "python",
  ipython: "python",
  sh: "bash",
  bash: "bash",
  shell: "bash",
  zsh: "bash",
  command: "bash",
  cmd: "bash",
  js: "javascript",
  javascript: "javascript",
  ts: "typescript",
  typescript: "typescript",
  sql: "sql",
  json: "json",
  yaml: "yaml",
  yml: "yaml",
  html: "xml",
  xml: "xml",
  css: "css",
  diff: "diff",
  patch: "diff",
};

/** The language that a word names: a field, a part of a kind, a file extension. */
export function languageOf(word: string): string | null {
  const name = word.toLowerCase();
  return Object.hasOwn(LANGUAGES, name) ? (LANGUAGES[name] ?? null) : null;
}

/** The language of the code in these fields, as far as they name one. */
export function languageIn(fields: JsonObject): string | null {
  const { language, lang, name, filename } = fields;
  for (const word of [language, lang]) if (typeof word === "string") return languageOf(word);
  for (const file of [filename, name]) {
    const ending = typeof file === "string" ? /\.(\w{1,10})$/.exec(file)?.[1] : undefined;
    if (ending !== undefined) return languageOf(ending);
  }
  return null;
}

export function languageOfKind(kind: string): string | null {
  for (const word of kind.split("_")) {
    const language = languageOf(word);
    if (language !== null) return language;
  }
  return null;
}

const ALIGNED = /\S(?: {2,}|\t)\S|[─│┃┌└├━═]|^\s+\S/;
const LINES_LOOKED_AT = 40;

/** Whether lines are aligned in columns on purpose, and so need a monospaced font. */
export function isAligned(text: string): boolean {
  const lines = text.slice(0, 4000).split("\n").slice(0, LINES_LOOKED_AT);
  return lines.filter((line) => ALIGNED.test(line)).length >= 2;
}
