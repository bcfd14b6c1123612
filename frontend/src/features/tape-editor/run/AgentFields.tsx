import { Select } from "@mantine/core";

import classes from "@/features/tape-editor/run/run.module.css";
import type { RunSetup } from "@/features/tape-editor/run/useRunSetup";
import { optionsOf } from "@/lib/options";

/** Which agent runs next: agent and version, side by side as one control. */
export function AgentFields({ setup }: { setup: RunSetup }) {
  const { change, agents, versions, agentId, versionId } = setup;
  return (
    <div className={classes.who} role="group" aria-label="Agent and version">
      <Select
        className={classes.agent}
        aria-label="Agent"
        placeholder="Choose an agent"
        searchable
        allowDeselect={false}
        data={optionsOf(agents)}
        value={agents.some(({ id }) => id === agentId) ? agentId : null}
        onChange={(value) => change({ agentId: value, versionId: null })}
      />
      <Select
        className={classes.version}
        aria-label="Agent version"
        allowDeselect={false}
        data={versions.map(({ id, number }) => ({ value: id, label: `v${number}` }))}
        value={versionId}
        onChange={(value) => change({ agentId, versionId: value })}
      />
    </div>
  );
}
