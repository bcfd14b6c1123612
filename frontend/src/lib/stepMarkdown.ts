/**
 * A step as Markdown, to be pasted elsewhere. Its content is in fences and code spans, so that no
 * renderer treats it as Markdown or HTML.
 */
import type { JsonObject } from "@/lib/json";
import { dataOf } from "@/lib/stepParts";
import { readJsonText, prettyJson, shortJson, SHORT } from "@/lib/valueShapes";
import { visibleText } from "@/lib/visibleText";

export function stepMarkdown(index: number, body: JsonObject): string {
  const kind = typeof body.kind === "string" ? body.kind : "";
  const fields = Object.entries(dataOf(body)).map(([name, value]) => describe(name, value));
  return [`## ${index} · ${code(kind)}`, ...fields].join("\n\n") + "\n";
}

function describe(name: string, value: unknown): string {
  const short = shortValue(value);
  if (short !== null) return `${code(name)}: ${short === "" ? "empty" : code(short)}`;
  if (typeof value !== "string") return `${code(name)}:\n\n${fence(prettyJson(value), "json")}`;
  const language = readJsonText(value) === null ? "text" : "json";
  return `${code(name)}:\n\n${fence(value, language)}`;
}

function shortValue(value: unknown): string | null {
  if (typeof value !== "string") return shortJson(value);
  return value.length <= SHORT && !value.includes("\n") ? value : null;
}

function fence(text: string, language: string): string {
  const shown = visibleText(text);
  const ticks = "`".repeat(Math.max(3, longestRun(shown) + 1));
  return `${ticks}${language}\n${shown}\n${ticks}`;
}

function code(text: string): string {
  const shown = visibleText(text).replaceAll(/\s+/g, " ").trim();
  const ticks = "`".repeat(longestRun(shown) + 1);
  const pad = shown.startsWith("`") || shown.endsWith("`") ? " " : "";
  return `${ticks}${pad}${shown}${pad}${ticks}`;
}

function longestRun(text: string): number {
  return (text.match(/`+/g) ?? []).reduce((longest, run) => Math.max(longest, run.length), 0);
}
