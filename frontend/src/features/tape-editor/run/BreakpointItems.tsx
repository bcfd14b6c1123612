/** Entries of a step's menu that make the run pause where the step came from. */
import { Menu } from "@mantine/core";
import { IconHandStop } from "@tabler/icons-react";

import type { Breakpoint } from "@/api/types";
import type { StepJson } from "@/features/tape-editor/draft";
import { useBreakpoints } from "@/features/tape-editor/run/useBreakpoints";
import { isSameJson } from "@/lib/json";
import { toolCalls } from "@/lib/toolCalls";
import { visibleText } from "@/lib/visibleText";

interface BreakpointItemsProps {
  node: string;
  kind: string;
  /** The step's body, once it is loaded: the run can pause before its tool calls. */
  body: StepJson | undefined;
}

export function BreakpointItems({ node, kind, body }: BreakpointItemsProps) {
  const tools = new Set(toolCalls(body?.tool_calls)?.map(({ name }) => name));
  return (
    <>
      {node !== "" && <Item one={{ kind: "node", value: node }} words={`before ${node}`} />}
      <Item one={{ kind: "kind", value: kind }} words={`after each ${kind}`} />
      {[...tools].map((tool) => (
        <Item key={tool} one={{ kind: "tool", value: tool }} words={`before tool ${tool}`} />
      ))}
    </>
  );
}

function Item({ one, words }: { one: Breakpoint; words: string }) {
  const { breakpoints, toggle } = useBreakpoints();
  const isSet = breakpoints.some((other) => isSameJson(other, one));
  return (
    <Menu.Item leftSection={<IconHandStop size={15} />} onClick={() => toggle(one)}>
      {visibleText(isSet ? `Do not pause ${words}` : `Pause ${words}`)}
    </Menu.Item>
  );
}
