/** The known tools that a run may call: one line each. */
import { useQuery } from "@tanstack/react-query";

import { changesIn, type RunChoice } from "@/features/tape-editor/choice";
import { useTapeModel } from "@/features/tape-editor/editor";
import { toolsQuery } from "@/features/tape-editor/form";
import type { RunSetup } from "@/features/tape-editor/run/useRunSetup";

export interface ToolLine {
  name: string;
  description: string;
  isIrreversible: boolean;
  /** The tape or its family called it, and the agent does not have it. */
  isMissing: boolean;
}

type Known = Pick<RunSetup, "tools" | "fit" | "choice">;

/** The tools of the agent, of the tape and of its family, those that the tape waits for, and those
 * with a policy chosen before. */
export function useToolLines({ tools, fit, choice }: Known): ToolLine[] {
  const { tape } = useTapeModel();
  const ofTape = useQuery(toolsQuery(tape.id)).data ?? [];
  const lines = new Map<string, ToolLine>();
  for (const { name, description, is_irreversible: isIrreversible } of [...tools, ...ofTape]) {
    const isMissing = !tools.some((tool) => tool.name === name);
    if (!lines.has(name)) lines.set(name, { name, description, isIrreversible, isMissing });
  }
  for (const name of [...(fit?.open_actions ?? []), ...Object.keys(choice.byTool)]) {
    const unknown = { description: "", isIrreversible: false, isMissing: false };
    if (!lines.has(name)) lines.set(name, { name, ...unknown });
  }
  return [...lines.values()];
}

/** There is a policy to choose, or one was chosen. */
export function hasPolicies(tools: readonly ToolLine[], choice: RunChoice): boolean {
  return tools.length > 0 || changesIn("tools", choice) > 0;
}
