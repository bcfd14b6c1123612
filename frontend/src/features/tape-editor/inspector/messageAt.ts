import type { LLMCall } from "@/api/types";

/** The message at this index of the complete prompt; `null` if it is not loaded. */
export function messageAt(call: LLMCall, number: number): Record<string, unknown> | null {
  return call.messages[number - call.first_message] ?? null;
}
