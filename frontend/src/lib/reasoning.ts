/** What a model thought before an answer, as far as the answer contains it. */
import type { JsonObject } from "@/lib/json";
import type { Part } from "@/lib/stepPart";

/** Fields of an answer that contain reasoning: as text, and signed. */
const SIGNED = ["thinking_blocks", "reasoning_details"];
export const THOUGHT = new Set(["reasoning_content", ...SIGNED]);

/** The reasoning of an answer; the signed blocks repeat it for their provider. */
export function thoughtOf(body: JsonObject): Part | null {
  const thought = reasoningOf(body).text;
  if (thought === null) return null;
  const place = { pointer: "/reasoning_content", label: null };
  return { type: "thought", ...place, text: thought };
}

/** An answer's reasoning (`null` for none, "" if it is hidden) and its other fields. */
export function reasoningOf(body: Readonly<Record<string, unknown>>) {
  const { reasoning_content: text } = body;
  const isSigned = SIGNED.some((name) => Array.isArray(body[name]) && body[name].length > 0);
  const rest = Object.fromEntries(Object.entries(body).filter(([name]) => !THOUGHT.has(name)));
  if (typeof text === "string" && text !== "") return { text, rest };
  return { text: isSigned ? "" : null, rest };
}
