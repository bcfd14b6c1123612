/** The arguments of a tool call, which providers write as an object or as its JSON text. */
import { parseText } from "@/features/tape-editor/form/pointers";
import { isObject } from "@/lib/json";

const texts = new Map<string, Record<string, unknown> | undefined>();

/** The object that arguments are; the same one for the same text, so that fields rest. */
export function decodeArguments(value: unknown): Record<string, unknown> | undefined {
  if (typeof value !== "string") return isObject(value) ? value : undefined;
  if (!texts.has(value)) {
    if (texts.size > 50) texts.clear();
    texts.set(value, parseText(value));
  }
  return texts.get(value);
}
