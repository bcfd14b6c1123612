/** Chooses the type of a new node from those that an agent as data may have. */
import { Select } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";

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
      data={nodeTypes.map(({ type, title }) => ({ value: type, label: visibleText(title) }))}
      renderOption={({ option }) => (
        <div>
          <div>{option.label}</div>
          <div className="ts-caption">
            {visibleText(
              nodeTypes.find(({ type }) => type === option.value)?.description.split("\n")[0] ?? "",
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
