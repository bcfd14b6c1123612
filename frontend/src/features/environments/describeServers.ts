/** What somebody has entered about an MCP server, and the same as other programs write it. */
import { isObject, type JsonObject } from "@/lib/json";

export interface ServerParts {
  way: "paste" | "command" | "address";
  text: string;
  name: string;
  command: string;
  /** One a line. */
  args: string;
  url: string;
}

export const NO_SERVER: ServerParts = {
  way: "paste",
  text: "",
  name: "",
  command: "",
  args: "",
  url: "",
};

/**
 * Returns an object with `mcpServers`.
 *
 * Throws an error with a sentence if the pasted text is not JSON.
 */
export function describeServers(parts: ServerParts): JsonObject {
  if (parts.way === "paste") return read(parts.text);
  const server =
    parts.way === "command"
      ? { command: parts.command.trim(), args: linesOf(parts.args) }
      : { url: parts.url.trim() };
  return { mcpServers: { [parts.name.trim()]: server } };
}

function linesOf(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

/** Manuals often show the entry alone, without the braces around it. */
function read(text: string): JsonObject {
  for (const whole of [text, `{${text}}`]) {
    try {
      const value: unknown = JSON.parse(whole);
      if (isObject(value)) return value;
    } catch {
      // The next one, or the sentence below.
    }
  }
  throw new Error("This is not a JSON object. Paste it from its first { to its last }.");
}
