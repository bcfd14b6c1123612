/** The parts that a card draws of a step: texts, code, tables, tool calls, short values. */
import type { JsonObject } from "@/lib/json";
import type { ToolCallText } from "@/lib/toolCalls";

export interface Pair {
  name: string;
  value: string;
  pointer: string;
}

export interface Place {
  /** Its place in the body, as a JSON pointer. */
  pointer: string;
  /** The name to show above it; `null` where none is needed. */
  label: string | null;
}

/** Values by column name, or by index if the columns have no names. */
export type TableRow = JsonObject | readonly unknown[];

export type Part = Place &
  (
    | { type: "text"; text: string; look: "prose" | "plain" | "mono" }
    | { type: "code"; text: string; language: string | null }
    | { type: "values"; pairs: readonly Pair[] }
    | { type: "tools"; calls: readonly ToolCallText[] }
    | { type: "list"; items: readonly string[]; isOrdered: boolean }
    | { type: "table"; rows: readonly TableRow[] }
    | { type: "json"; value: unknown }
    | { type: "image"; source: string }
    | { type: "page"; text: string; url: string; place: string }
    | { type: "thought"; text: string }
    | { type: "error"; text: string }
    | { type: "link"; url: string }
    | { type: "group"; parts: readonly Part[] }
  );
