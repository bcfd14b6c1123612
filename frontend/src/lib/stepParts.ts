/** Splits a step's body into the parts that a card draws: texts, code, tables, tool calls, short
 * values.
 *
 * Kinds are not unique in real tapes, so how a value is shown depends on its name and its shape;
 * the kind only tips the balance.
 */
import { guessFamily } from "@/lib/families";
import { isObject, type JsonObject } from "@/lib/json";
import { pieceOf } from "@/lib/messagePieces";
import { namedFile } from "@/lib/namedFile";
import { THOUGHT, thoughtOf } from "@/lib/reasoning";
import type { Pair, Part, Place } from "@/lib/stepPart";
import { toolCalls } from "@/lib/toolCalls";
import {
  isAligned,
  isListOfRecords,
  isListOfRows,
  isListOfTexts,
  isSafeImage,
  languageIn,
  languageOf,
  languageOfKind,
  readAddress,
  readJsonText,
  SHORT,
  shortJson,
} from "@/lib/valueShapes";

interface Context {
  kind: string;
  /** Text of a person or a model, which may be Markdown. */
  isProse: boolean;
  /** The output of a tool: JSON inside a text is parsed. */
  isResult: boolean;
  /** The whole step reports a failure. */
  isError: boolean;
  /** The language of code in this step, as far as its fields name one. */
  language: string | null;
  /** Every part shows its name, as the arguments of a call do. */
  isLabeled: boolean;
}

/** Not data; `$cut` marks a body of which only the beginning is there. */
const FIXED = new Set(["kind", "metadata", "$cut"]);
const CODE_NAMES = /^(code|script|source_code|program|expression|command|cmd|sql|diff|patch)$/;
const ERROR_NAMES = /^(error|exception|traceback|stack_?trace)$/;
const PLAN = /^(plan|steps|todo(_list)?|tasks|sub_?tasks|next_steps|instructions)$/;
/** A step that consists mostly of one of these texts needs no label for it. */
const MAIN_NAMES = new Set(["content", "reasoning", "text", "task", "answer"]);
const FAILURE = /failure|error|exception/;
const SPOKEN = new Set(["user", "task", "question", "system"]);

export function dataOf(body: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(body).filter(([name]) => !FIXED.has(name)));
}

export function partsOf(body: JsonObject): Part[] {
  const context = contextOf(body);
  const page = pageOf(body, context.kind);
  const thought = thoughtOf(body);
  const rest = Object.entries(dataOf(body)).filter(
    ([name]) => page?.fields.has(name) !== true && !(thought !== null && THOUGHT.has(name)),
  );
  const first = [thought, page?.part ?? null].filter((part) => part !== null);
  return [...first, ...partsOfEntries(rest, "", context)];
}

/** The arguments of a call, or any other object of named values. */
export function partsOfFields(fields: JsonObject): Part[] {
  const language = languageIn(fields);
  const context: Context = { ...NEUTRAL, language, isLabeled: true };
  return partsOfEntries(Object.entries(fields), "", context);
}

const NEUTRAL: Context = {
  kind: "",
  isProse: false,
  isResult: false,
  isError: false,
  language: null,
  isLabeled: false,
};

function contextOf(body: JsonObject): Context {
  const kind = typeof body.kind === "string" ? body.kind : "";
  const isObservation = guessFamily(kind) === "observation";
  return {
    kind,
    isProse: SPOKEN.has(kind) || !(isObservation || FAILURE.test(kind)),
    isResult: isObservation && !SPOKEN.has(kind),
    isError: body.is_error === true,
    language: languageIn(body) ?? languageOfKind(kind),
    isLabeled: false,
  };
}

function partsOfEntries(
  entries: readonly (readonly [string, unknown])[],
  above: string,
  context: Context,
): Part[] {
  const parts: Part[] = [];
  let pairs: Pair[] = [];
  const flush = () => {
    const [first] = pairs;
    if (first !== undefined)
      parts.push({ type: "values", pointer: first.pointer, label: null, pairs });
    pairs = [];
  };
  for (const [name, value] of entries) {
    const pointer = `${above}/${escapePointer(name)}`;
    const short = shortValue(name, value, context);
    if (short !== null) {
      pairs.push({ name, value: short, pointer });
      continue;
    }
    flush();
    parts.push(...partsOfValue(name, value, pointer, context));
  }
  flush();
  return parts;
}

function escapePointer(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}

function shortValue(name: string, value: unknown, context: Context): string | null {
  if (Array.isArray(value) && (PLAN.test(name) || value.some(isObject))) return null;
  if (typeof value !== "string") return shortJson(value);
  if (isSafeImage(value)) return null;
  if (MAIN_NAMES.has(name) && !context.isLabeled) return null;
  if (value !== "" && (ERROR_NAMES.test(name) || readAddress(value) !== null)) return null;
  if (CODE_NAMES.test(name) && value !== "" && !context.isLabeled) return null;
  return value.length <= SHORT && !value.includes("\n") ? value : null;
}

function partsOfValue(name: string, value: unknown, pointer: string, context: Context): Part[] {
  const place: Place = { pointer, label: labelOf(name, context) };
  if (typeof value === "string") return [partOfText(name, value, place, context)];
  if (Array.isArray(value)) return partsOfList(name, value, place, context);
  if (isObject(value)) return [partOfObject(value, place, context)];
  return [{ type: "json", ...place, value }];
}

function labelOf(name: string, context: Context): string | null {
  if (name === "attachments") return null;
  // Code is recognizable without a label.
  return (MAIN_NAMES.has(name) || name === "code") && !context.isLabeled ? null : name;
}

function partOfText(name: string, text: string, place: Place, context: Context): Part {
  if (isErrorText(name, context)) return { type: "error", ...place, label: null, text };
  if (isSafeImage(text)) return { type: "image", ...place, source: text };
  const file = namedFile(text);
  if (file !== null) return { type: "text", ...place, text: file, look: "plain" };
  if (CODE_NAMES.test(name)) {
    return { type: "code", ...place, text, language: languageOf(name) ?? context.language };
  }
  if (readAddress(text) !== null) return { type: "link", ...place, url: text };
  const value = context.isResult ? readJsonText(text) : null;
  if (Array.isArray(value)) {
    const [only, ...more] = partsOfList(name, value, place, { ...context, isResult: false });
    if (only !== undefined && more.length === 0) return only;
    return { type: "json", ...place, value };
  }
  if (value !== null) return partOfObject(value, place, { ...context, isResult: false });
  const isMain = MAIN_NAMES.has(name) || context.isProse;
  const isProse = isMain && !context.isResult && !context.isLabeled;
  const look = isProse ? "prose" : isAligned(text) ? "mono" : "plain";
  return { type: "text", ...place, text, look };
}

function isErrorText(name: string, context: Context): boolean {
  return ERROR_NAMES.test(name) || (context.isError && name === "content");
}

function partsOfList(
  name: string,
  items: readonly unknown[],
  place: Place,
  context: Context,
): Part[] {
  const calls = name === "tool_calls" ? toolCalls(items) : null;
  if (calls !== null) return [{ type: "tools", ...place, label: null, calls }];
  if (isListOfTexts(items)) {
    const isOrdered = PLAN.test(name) || context.kind.includes("plan");
    return [{ type: "list", ...place, items, isOrdered }];
  }
  if (isListOfRows(items)) return [{ type: "table", ...place, rows: items }];
  if (!isListOfRecords(items)) return [{ type: "json", ...place, value: items }];
  const pieces = items.map((item, at) =>
    pieceOf(item, { ...place, pointer: `${place.pointer}/${at}` }),
  );
  if (pieces.every((piece) => piece !== null)) return pieces;
  return [{ type: "table", ...place, rows: items }];
}

/** An object with a long text among short values reads better as fields than as a tree. */
function partOfObject(value: JsonObject, place: Place, context: Context): Part {
  const entries = Object.entries(value);
  const hasText = entries.some(([, item]) => typeof item === "string" && item.length > SHORT);
  const isFlat = entries.every(([, item]) => typeof item !== "object" || shortJson(item) !== null);
  if (!hasText || !isFlat || entries.length > LARGEST_GROUP) {
    return { type: "json", ...place, value };
  }
  const inner: Context = { ...context, isProse: false, isLabeled: true };
  return { type: "group", ...place, parts: partsOfEntries(entries, place.pointer, inner) };
}

const LARGEST_GROUP = 24;

/** The text of a web page or a document, with its source. */
function pageOf(body: JsonObject, kind: string): { part: Part; fields: Set<string> } | null {
  const { text, url, current_page: at, total_pages: count } = body;
  const isPaged = typeof at === "number" && typeof count === "number";
  const isWeb = typeof url === "string" && readAddress(url) !== null;
  if (typeof text !== "string" || !(isPaged || (isWeb && kind.includes("page")))) return null;
  const fields = new Set(["text"]);
  if (isPaged) fields.add("current_page").add("total_pages");
  if (isWeb) fields.add("url");
  const place = isPaged ? `Page ${at} of ${count}` : "Page";
  const part: Part = {
    type: "page",
    pointer: "/text",
    label: null,
    text,
    place,
    url: isWeb ? url : "",
  };
  return { part, fields };
}

const SUMMARY_LENGTH = 160;

export function summaryOf(body: JsonObject): string {
  const values = Object.entries(dataOf(body)).flatMap(([name, value]) =>
    THOUGHT.has(name) ? [] : [value],
  );
  const text = values.find((value) => typeof value === "string" && value !== "");
  const whole = typeof text === "string" ? text : JSON.stringify(dataOf(body));
  return whole.slice(0, SUMMARY_LENGTH).replaceAll(/\s+/g, " ");
}
