/** What a model thought before an answer, as far as the answer says it. */
import type { JsonObject } from "@/lib/json";
import type { Part } from "@/lib/stepPart";

/** Fields of an answer that hold what was thought before it: as text, and signed. */
const SIGNED = ["thinking_blocks", "reasoning_details"];
export const THOUGHT = new Set(["reasoning_content", ...SIGNED]);

/** The reasoning of an answer; the signed blocks say the same, for their provider. */
export function thoughtOf(body: JsonObject): Part | null {
  const thought = reasoningOf(body).text;
  if (thought === null) return null;
  const place = { pointer: "/reasoning_content", label: null };
  return { type: "thought", ...place, text: thought };
}

/** What was thought before an answer, and what else there is: `null` for nothing, "" for hidden. */
export function reasoningOf(body: Readonly<Record<string, unknown>>) {
  const { reasoning_content: text } = body;
  const isSigned = SIGNED.some((name) => Array.isArray(body[name]) && body[name].length > 0);
  const rest = Object.fromEntries(Object.entries(body).filter(([name]) => !THOUGHT.has(name)));
  if (typeof text === "string" && text !== "") return { text, rest };
  return { text: isSigned ? "" : null, rest };
}
