/** The form of an agent: what it is for, its members, models, kinds of steps, environment, rules. */
import { Button, Textarea } from "@mantine/core";
import { IconPlus, IconTrash } from "@tabler/icons-react";

import { EnvironmentField } from "@/features/agent-editor/agent/EnvironmentField";
import { KindFields } from "@/features/agent-editor/agent/KindFields";
import { ModelFields } from "@/features/agent-editor/agent/ModelFields";
import { NameInput } from "@/features/agent-editor/agent/NameInput";
import { PlaceProblems } from "@/features/agent-editor/agent/PlaceProblems";
import { RuleFields } from "@/features/agent-editor/agent/RuleFields";
import { TemplateField } from "@/features/agent-editor/agent/TemplateField";
import classes from "@/features/agent-editor/agentEditor.module.css";
import {
  siblingNames,
  templatesOf,
  withFields,
  withMember,
  withMemberName,
  withoutPlace,
} from "@/features/agent-editor/draft/specChanges";
import { objectAt } from "@/features/agent-editor/draft/specPlaces";
import { useAgentEditor, useSpec } from "@/features/agent-editor/editorContext";
import { SchemaForm } from "@/features/tape-editor/form";
import { visibleText } from "@/lib/visibleText";

export function AgentForm({ path }: { path: string }) {
  const { select } = useAgentEditor();
  const [spec, change] = useSpec();
  const agent = objectAt(spec, path);
  const name = typeof agent.name === "string" ? agent.name : "";
  const addMember = () => {
    const added = withMember(spec, path);
    change(added.spec);
    select(added.path, "/name");
  };
  return (
    <section className={classes.form} aria-label={visibleText(`Agent ${name}`)}>
      {path !== "" && (
        <div className={classes.formHead} data-pointer="/name">
          <div className={classes.grows}>
            <NameInput
              label="Subagent"
              name={name}
              taken={siblingNames(spec, path)}
              onRename={(next) => change(withMemberName(spec, path, next))}
            />
          </div>
          <Button
            variant="subtle"
            color="gray"
            leftSection={<IconTrash size={14} />}
            onClick={() => {
              change(withoutPlace(spec, path));
              select(path.replace(/\/subagents\/\d+$/, ""));
            }}
          >
            Remove the subagent
          </Button>
        </div>
      )}
      <PlaceProblems path={path} />
      <div data-pointer="/description">
        <Textarea
          label="Description"
          description={path === "" ? undefined : "Tells its manager what it is good for"}
          placeholder="Answers questions about orders, and cancels them."
          autosize
          minRows={1}
          maxRows={8}
          value={typeof agent.description === "string" ? agent.description : ""}
          onChange={({ currentTarget }) =>
            change(withFields(spec, path, { description: currentTarget.value }))
          }
        />
      </div>
      <div>
        <Button variant="default" leftSection={<IconPlus size={14} />} onClick={addMember}>
          Add a subagent
        </Button>
      </div>
      <ModelFields path={path} />
      <Templates path={path} />
      {path === "" && <KindFields />}
      {path === "" && <EnvironmentField />}
      {path === "" && <RuleFields />}
      {path === "" && <Limits />}
    </section>
  );
}

function Templates({ path }: { path: string }) {
  const [spec] = useSpec();
  return (
    <div className="ts-stack" data-pointer="/templates">
      <h3>Templates</h3>
      {Object.keys(templatesOf(spec, path)).map((name) => (
        <TemplateField
          key={name}
          agent={path}
          name={name}
          label={visibleText(name)}
          placeholder="A text that the prompts of nodes are made from"
          field={`/templates/${name}`}
        />
      ))}
      {Object.keys(templatesOf(spec, path)).length === 0 && (
        <p className="ts-hint">The instruction of a node makes the first one.</p>
      )}
    </div>
  );
}

const LIMITS = {
  type: "object",
  additionalProperties: false,
  properties: {
    max_iterations: {
      type: "integer",
      minimum: 1,
      description: "How many node runs one turn may take",
    },
  },
};

function Limits() {
  const [spec, change] = useSpec();
  const { max_iterations: most } = spec;
  return (
    <SchemaForm
      schema={LIMITS}
      value={most === undefined ? {} : { max_iterations: most }}
      onChange={({ max_iterations }) => change(withFields(spec, "", { max_iterations }))}
    />
  );
}
