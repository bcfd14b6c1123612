/** The tools that a prompt offers, folded, each with its schema. */
import type { LLMCall } from "@/api/types";
import classes from "@/features/tape-editor/inspector/inspector.module.css";
import { JsonBlock } from "@/features/tape-editor/inspector/JsonBlock";
import { shareTokens, sizeOf } from "@/features/tape-editor/inspector/tokenShares";
import { countOf, formatTokens } from "@/lib/format";
import { isObject } from "@/lib/json";

export function PromptTools({ call }: { call: LLMCall }) {
  const { tools } = call;
  if (tools === null || tools.length === 0) return null;
  return (
    <details className={classes.details}>
      <summary>
        {countOf(tools.length, "tool")} offered
        {tokensOf(call)}
      </summary>
      {tools.map((tool, at) => (
        <JsonBlock key={at} slot={`${call.id}.tool.${at}`} label={toolName(tool)} value={tool} />
      ))}
    </details>
  );
}

function tokensOf({ first_message, messages, tools, usage }: LLMCall): string {
  if (first_message > 0 || usage.input_tokens === null) return "";
  const sizes = [...messages.map(sizeOf), sizeOf(tools)];
  return `, ≈ ${formatTokens(shareTokens(sizes, usage.input_tokens).at(-1))} tokens`;
}

export function toolName(tool: Record<string, unknown>): string {
  const described = tool.function;
  const name = isObject(described) && "name" in described ? described.name : tool.name;
  return typeof name === "string" ? name : "Tool";
}
