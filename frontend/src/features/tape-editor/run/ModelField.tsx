/** Which model answers: the agent's own, or one of the project; an agent without one needs it. */
import { Anchor, Select } from "@mantine/core";
import { IconInfoCircle } from "@tabler/icons-react";
import { Link } from "react-router";

import { AS_AGENT, keepModel } from "@/features/tape-editor/choice";
import classes from "@/features/tape-editor/run/run.module.css";
import type { RunSetup } from "@/features/tape-editor/run/useRunSetup";
import { optionsOf } from "@/lib/options";

export function ModelField({ setup }: { setup: RunSetup }) {
  const { choice, change, models, needsModel, agentId } = setup;
  const own = needsModel ? [] : [{ value: AS_AGENT, label: "Agent default" }];
  const choose = (value: string | null) => {
    if (agentId !== null) keepModel(agentId, value === AS_AGENT ? null : value);
    change({ modelId: value });
  };
  return (
    <Select
      className={classes.model}
      aria-label="Model"
      placeholder="Choose a model"
      searchable
      allowDeselect={false}
      data={[...own, ...optionsOf(models)]}
      value={choice.modelId ?? (needsModel ? null : AS_AGENT)}
      onChange={choose}
    />
  );
}

/** Why Resume cannot be pressed yet. */
export function ModelNotice({ setup }: { setup: RunSetup }) {
  const { choice, models, needsModel } = setup;
  if (!needsModel || choice.modelId !== null) return null;
  return (
    <div className={`ts-row ts-hint ${classes.note}`} role="note">
      <IconInfoCircle size={16} stroke={1.75} aria-hidden="true" />
      {models.length === 0 ? (
        <span className={classes.sentence}>
          This agent has no model of its own.{" "}
          <Anchor component={Link} to="/models" size="sm">
            Add a model
          </Anchor>{" "}
          to resume.
        </span>
      ) : (
        <span className={classes.sentence}>
          This agent has no model of its own. Choose one to resume; it is remembered for this agent.
        </span>
      )}
    </div>
  );
}
