/** Adds a node of a chosen type to the selected agent: after the selected node, else at the end. */
import { Select } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";

import type { NodeType } from "@/api/agentDrafts";
import classes from "@/features/agent-editor/agentEditor.module.css";
import { withNode } from "@/features/agent-editor/draft/specChanges";
import { isPlace } from "@/features/agent-editor/draft/specPlaces";
import { useAgentEditor, useSpec } from "@/features/agent-editor/editorContext";
import { describedText, visibleText } from "@/lib/visibleText";

export function AddNode() {
  const { nodeTypes, selected, select } = useAgentEditor();
  const [spec, change] = useSpec();
  return (
    <div className={classes.addNode} data-pointer="/nodes">
      <Select
        aria-label="Add a node"
        size="xs"
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
              {describedText(
                nodeTypes.find(({ type }) => type === option.value)?.description.split("\n")[0] ??
                  "",
              )}
            </div>
          </div>
        )}
        value={null}
        onChange={(type) => {
          if (type === null) return;
          const added = withNode(spec, isPlace(spec, selected) ? selected : "", type);
          change(added.spec);
          select(added.path, "/settings/name");
        }}
      />
    </div>
  );
}

/** Of these a person makes most agents; in the order in which they are looked for. */
const FIRST = ["engine.TalkNode", "builders.MonoNode", "builders.LLMFunctionNode"];
const CONTROL = [
  "If",
  "Observation",
  "GoTo",
  "Steps",
  "Call",
  "CallTogether",
  "Respond",
  "Stop",
].map((name) => `builders.${name}Node`);
const TEAM = ["Member", "Speaker", "Tell"].map((name) => `builders.${name}Node`);

function groupTypes(types: readonly NodeType[]) {
  const listed = new Set([...FIRST, ...CONTROL, ...TEAM]);
  const others = types.filter(({ type }) => !listed.has(type)).map(({ type }) => type);
  const groups = [
    { group: "Ask a model", items: FIRST },
    { group: "Choose what comes next", items: CONTROL },
    { group: "Members of a team", items: TEAM },
    { group: "Of bundled agents and plugins", items: others },
  ];
  return groups.map(({ group, items }) => ({
    group,
    items: items.flatMap((wanted) =>
      types
        .filter(({ type }) => type === wanted)
        .map(({ type, title }) => ({ value: type, label: visibleText(title) })),
    ),
  }));
}
