/** Tool calls of a model's message, as readable text. */
import { isObject } from "@/lib/json";
import { oneLine, prettyJson, readJsonText } from "@/lib/valueShapes";

export interface ToolCallText {
  id: string;
  name: string;
  /** Pretty-printed JSON; text that is not JSON is unchanged. */
  arguments: string;
}

/** Tool calls in the chat completions format; `null` if the value is something else. */
export function toolCalls(value: unknown): ToolCallText[] | null {
  if (!Array.isArray(value)) return null;
  const calls = value.map(toolCall);
  return calls.every((call) => call !== null) ? calls : null;
}

function toolCall(value: unknown): ToolCallText | null {
  if (!isObject(value) || !isObject(value.function)) return null;
  const { name, arguments: given } = value.function;
  if (typeof name !== "string") return null;
  const id = typeof value.id === "string" ? value.id : "";
  return { id, name, arguments: prettyArguments(given) };
}

/** A tool call that is still being written. */
export interface ToolText {
  name: string;
  arguments: string;
}

/** The calls after the next piece of one of them; pieces of several calls arrive interleaved. */
export function growTools(
  tools: readonly ToolText[],
  index: number,
  piece: { tool_name: string; tool_arguments: string },
): ToolText[] {
  const grown = [...tools];
  while (grown.length <= index) grown.push({ name: "", arguments: "" });
  return grown.map((tool, at) =>
    at === index
      ? { name: tool.name + piece.tool_name, arguments: tool.arguments + piece.tool_arguments }
      : tool,
  );
}

export function prettyArguments(given: unknown): string {
  if (given === undefined) return "";
  if (typeof given !== "string") return compactJson(given);
  const value = readJsonText(given);
  return value === null ? given : compactJson(value);
}

const ONE_LINE = 72;

/** Small values on one line, larger ones indented. */
function compactJson(value: unknown): string {
  const pretty = prettyJson(value);
  const line = oneLine(pretty);
  return line.length <= ONE_LINE ? line : pretty;
}
