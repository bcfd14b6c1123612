/** The models of an agent by the names that its nodes use. */
import { ActionIcon, Autocomplete, Button, Tooltip } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { IconPlus, IconTrash } from "@tabler/icons-react";

import { modelsQuery } from "@/api/models";
import { NameInput } from "@/features/agent-editor/agent/NameInput";
import classes from "@/features/agent-editor/agentEditor.module.css";
import { freeName, withFields, withModelName } from "@/features/agent-editor/draft/specChanges";
import { objectAt } from "@/features/agent-editor/draft/specPlaces";
import { useSpec } from "@/features/agent-editor/editorContext";
import { SchemaForm } from "@/features/tape-editor/form";
import { isObject, type JsonObject } from "@/lib/json";
import { visibleText } from "@/lib/visibleText";

const PARAMETERS = { type: "object" };

export function ModelFields({ path }: { path: string }) {
  const [spec, change] = useSpec();
  const { llms } = objectAt(spec, path);
  const known = isObject(llms) ? llms : {};
  const put = (next: JsonObject) => change(withFields(spec, path, { llms: next }));
  const add = () =>
    put({ ...known, [freeName("default", Object.keys(known))]: { model: "", parameters: {} } });
  return (
    <div className="ts-stack" data-pointer="/llms">
      <h3>Models</h3>
      {Object.keys(known).length === 0 && (
        <p className="ts-hint">
          {path === ""
            ? "None: choose one at each run, or add one."
            : "None: it uses those of its manager."}
        </p>
      )}
      {Object.entries(known).map(([name, llm], at) => (
        <ModelField
          key={at} // by its place: a rename keeps the cursor
          name={name}
          llm={isObject(llm) ? llm : {}}
          onChange={(next) => put({ ...known, [name]: next })}
          taken={Object.keys(known)}
          onRename={(to) => change(withModelName(spec, path, name, to))}
          onRemove={() =>
            put(Object.fromEntries(Object.entries(known).filter(([own]) => own !== name)))
          }
        />
      ))}
      <div>
        <Button
          variant="subtle"
          size="compact-xs"
          leftSection={<IconPlus size={12} />}
          onClick={add}
        >
          Add a model
        </Button>
      </div>
    </div>
  );
}

interface ModelFieldProps {
  name: string;
  llm: JsonObject;
  taken: readonly string[];
  onChange: (llm: JsonObject) => void;
  onRename: (name: string) => void;
  onRemove: () => void;
}

function ModelField({ name, llm, taken, onChange, onRename, onRemove }: ModelFieldProps) {
  const models = useQuery(modelsQuery());
  const names = (models.data ?? []).map((model) => model.name);
  return (
    <fieldset className={classes.model} data-pointer={`/llms/${name}`}>
      <div className={classes.modelRow}>
        <NameInput label="Name" name={name} taken={taken} onRename={onRename} />
        <Autocomplete
          label="Model"
          placeholder="gpt-4o-mini"
          data={names}
          value={typeof llm.model === "string" ? llm.model : ""}
          onChange={(model) => onChange({ ...llm, model })}
        />
        <Tooltip label={`Remove ${visibleText(name)}`}>
          <ActionIcon aria-label={`Remove model ${visibleText(name)}`} onClick={onRemove}>
            <IconTrash size={15} stroke={1.75} />
          </ActionIcon>
        </Tooltip>
      </div>
      <details>
        <summary className="ts-hint">Parameters</summary>
        <SchemaForm
          schema={PARAMETERS}
          value={isObject(llm.parameters) ? llm.parameters : {}}
          onChange={(parameters) => onChange({ ...llm, parameters })}
        />
      </details>
    </fieldset>
  );
}
