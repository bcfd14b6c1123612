/** Chooses the type of a new node from those that an agent as data may have. */
import { Select } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";

import type { NodeType } from "@/api/agentDrafts";
import { withNode } from "@/features/agent-editor/draft/specChanges";
import { useAgentEditor, useSpec } from "@/features/agent-editor/editorContext";
import { visibleText } from "@/lib/visibleText";

export function AddNode({ agent }: { agent: string }) {
  const { nodeTypes, select } = useAgentEditor();
  const [spec, change] = useSpec();
  return (
    <Select
      aria-label="Add a node"
      placeholder="Add a node…"
      leftSection={<IconPlus size={14} />}
      searchable
      nothingFoundMessage="No such type of node"
      maxDropdownHeight={320}
      data={groupTypes(nodeTypes)}
      renderOption={({ option }) => (
        <div>
          <div>{option.label}</div>
          <div className="ts-caption">
            {visibleText(
              nodeTypes
                .find(({ type }) => type === option.value)
                ?.description.split("\n")[0]
                ?.replaceAll("`", "") ?? "",
            )}
          </div>
        </div>
      )}
      value={null}
      onChange={(type) => {
        if (type === null) return;
        const added = withNode(spec, agent, type);
        change(added.spec);
        select(added.path, "/settings/name");
      }}
    />
  );
}

const GROUPS = ["Asks a model", "Decides or acts without a model", "Parts of bundled agents"];

/** Those for any agent first; the parts of bundled agents and of plugins are rarely meant. */
function groupTypes(types: readonly NodeType[]) {
  return GROUPS.map((group, number) => ({
    group,
    items: types
      .filter((type) => groupOf(type) === number)
      .map(({ type, title }) => ({ value: type, label: visibleText(title) }))
      .toSorted((one, other) => rank(one.value) - rank(other.value)),
  })).filter(({ items }) => items.length > 0);
}

/** The two that most agents are made of, before the others in the order of the alphabet. */
const FIRST = ["engine.TalkNode", "builders.MonoNode"];

function rank(type: string): number {
  const at = FIRST.indexOf(type);
  return at === -1 ? FIRST.length : at;
}

function groupOf({ type, has_prompt: asksModel }: NodeType): number {
  if (!/^(engine|builders)\./.test(type)) return 2;
  return asksModel ? 0 : 1;
}
