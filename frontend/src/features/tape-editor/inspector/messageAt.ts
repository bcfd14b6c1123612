import type { LLMCall } from "@/api/types";

/** The message with this number in the whole prompt; `null` when it is not loaded. */
export function messageAt(call: LLMCall, number: number): Record<string, unknown> | null {
  return call.messages[number - call.first_message] ?? null;
}
