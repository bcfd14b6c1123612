/** Syntax colors, as a tree of words and classes; loaded when code is first drawn. */
import type { ElementContent, RootContent } from "hast";
import bash from "highlight.js/lib/languages/bash";
import css from "highlight.js/lib/languages/css";
import diff from "highlight.js/lib/languages/diff";
import javascript from "highlight.js/lib/languages/javascript";
import json from "highlight.js/lib/languages/json";
import python from "highlight.js/lib/languages/python";
import sql from "highlight.js/lib/languages/sql";
import typescript from "highlight.js/lib/languages/typescript";
import xml from "highlight.js/lib/languages/xml";
import yaml from "highlight.js/lib/languages/yaml";
import { createLowlight } from "lowlight";

const lowlight = createLowlight({
  bash,
  css,
  diff,
  javascript,
  json,
  python,
  sql,
  typescript,
  xml,
  yaml,
});

export interface Token {
  /** The word's role in its language, such as `keyword`; empty for plain text. */
  sort: string;
  text: string;
}

export function highlight(text: string, language: string): Token[] {
  if (!lowlight.registered(language)) return [{ sort: "", text }];
  const tokens: Token[] = [];
  for (const node of lowlight.highlight(language, text).children) collect(node, "", tokens);
  return tokens;
}

function collect(node: RootContent | ElementContent, sort: string, tokens: Token[]): void {
  if (node.type === "text") tokens.push({ sort, text: node.value });
  if (node.type !== "element") return;
  const inner = sortOf(node.properties.className) ?? sort;
  for (const child of node.children) collect(child, inner, tokens);
}

const PREFIX = "hljs-";

function sortOf(names: unknown): string | null {
  const name: unknown = Array.isArray(names) ? names[0] : null;
  return typeof name === "string" && name.startsWith(PREFIX) ? name.slice(PREFIX.length) : null;
}
