/** What an interrupted call had written, from its stored output. */
import * as v from "valibot";

import type { Writing } from "@/features/tape-editor/live/liveTape";

const text = v.fallback(v.string(), "");
const output = v.object({
  content: v.optional(text, ""),
  reasoning_content: v.optional(text, ""),
  tool_calls: v.fallback(
    v.optional(v.array(v.object({ function: v.object({ name: text, arguments: text }) })), []),
    [],
  ),
});

export function writingOfCall(
  promptId: string,
  agent: string,
  node: string,
  stored: unknown,
): Writing {
  const read = v.safeParse(output, stored);
  const { content, reasoning_content, tool_calls } = read.success
    ? read.output
    : { content: "", reasoning_content: "", tool_calls: [] };
  return {
    promptId,
    agent,
    node,
    lane: "",
    hasCall: true,
    text: content,
    reasoning: reasoning_content,
    tools: tool_calls.map(({ function: called }) => ({ ...called })),
    made: null,
    pace: { lastAt: null, characters: 0, milliseconds: 0 },
    since: null,
  };
}
