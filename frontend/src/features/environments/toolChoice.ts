/** What somebody chooses for one tool of an MCP server. */
import type { ServerTool, ToolChoice } from "@/api/environments";

export interface Choice {
  isAllowed: boolean;
  name: string;
  isIrreversible: boolean;
  /** Whether agents get the tool as its server has changed it. */
  isAccepted: boolean;
}

const CALLABLE = /^[A-Za-z0-9_-]{1,64}$/;

/** Whether a model can call a tool by this name. */
export function isCallable(name: string): boolean {
  return CALLABLE.test(name);
}

/** The choice as it is now; a name that no model can call gets one that it can. */
export function choiceOf(tool: ServerTool): Choice {
  return {
    isAllowed: tool.is_allowed,
    name: tool.name.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, 64),
    isIrreversible: tool.is_irreversible,
    isAccepted: false,
  };
}

/** The choice as the server takes it: none for a tool that agents may not use. */
export function choose(tool: ServerTool, choice: Choice): ToolChoice[] {
  if (!choice.isAllowed) return [];
  return [
    {
      served_as: tool.served_as,
      name: choice.name,
      is_irreversible: choice.isIrreversible,
      digest: choice.isAccepted ? tool.offered_digest : tool.digest,
    },
  ];
}
