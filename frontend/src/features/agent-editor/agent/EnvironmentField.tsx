/** What answers the actions of an agent: a registered type, with its settings if it has some. */
import { Checkbox, Select } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";

import { environmentsQuery, type EnvironmentType } from "@/api/agentDrafts";
import { withFields } from "@/features/agent-editor/draft/specChanges";
import { useSpec } from "@/features/agent-editor/editorContext";
import { SchemaForm } from "@/features/tape-editor/form";
import { isObject } from "@/lib/json";
import { visibleText } from "@/lib/visibleText";

const USUAL = "The tools of its nodes, and the person";
/** A select has no empty value. */
const NO_NAME = " ";

export function EnvironmentField() {
  const [spec, change] = useSpec();
  const types = useQuery(environmentsQuery());
  const putAll = (next: unknown) => change(withFields(spec, "", { environment: next }));
  const [environment, isJoined] = splitUsual(spec.environment);
  if (Array.isArray(environment)) return <Several value={environment} onChange={putAll} />;
  const put = (next: unknown, joined: boolean) => putAll(joined && next !== "" ? [next, ""] : next);
  const type = isObject(environment) ? environment.type : (environment ?? "");
  const name = typeof type === "string" ? type : "";
  const known = types.data ?? [];
  const schema = known.find((one) => one.name === name)?.settings_schema ?? null;
  const settings =
    isObject(environment) && isObject(environment.settings) ? environment.settings : {};
  return (
    <div className="ts-stack" data-pointer="/environment">
      <Select
        label="Environment"
        description="What answers its actions"
        allowDeselect={false}
        data={[
          { value: NO_NAME, label: USUAL },
          ...namesOf(known, name).map((one) => ({ value: one, label: visibleText(one) })),
        ]}
        renderOption={({ option }) => (
          <div>
            <div>{option.label}</div>
            <div className="ts-caption">
              {visibleText(known.find((one) => one.name === option.value)?.description ?? "")}
            </div>
          </div>
        )}
        value={name === "" ? NO_NAME : name}
        onChange={(next) => {
          const chosen = known.find((one) => one.name === next);
          const hasSettings = chosen !== undefined && chosen.settings_schema !== null;
          const value = hasSettings ? { type: next, settings: {} } : next === NO_NAME ? "" : next;
          put(value, isJoined || name === "");
        }}
      />
      {schema !== null && (
        <div data-fields={`/environment${isJoined ? "/0" : ""}/settings`}>
          <SchemaForm
            schema={schema}
            value={settings}
            onChange={(next) => put({ type: name, settings: next }, isJoined)}
          />
        </div>
      )}
      {name !== "" && (
        <Checkbox
          label="Then the tools of its nodes, and the person"
          description="They answer what the environment does not"
          checked={isJoined}
          onChange={(event) => put(environment, event.currentTarget.checked)}
        />
      )}
    </div>
  );
}

/** Return the environment that is asked first, and whether the usual one is asked next. */
function splitUsual(environment: unknown): [unknown, boolean] {
  if (!Array.isArray(environment) || environment.length !== 2) return [environment, false];
  const several: readonly unknown[] = environment;
  const [first, second] = several;
  return first !== "" && second === "" ? [first, true] : [environment, false];
}

/** One that is not registered here, as when its plugin is gone, stays what it is. */
function namesOf(known: readonly EnvironmentType[], chosen: string): string[] {
  const names = known.map((one) => one.name);
  return chosen === "" || names.includes(chosen) ? names : [...names, chosen];
}

const SEVERAL = {
  type: "object",
  properties: {
    environment: {
      type: "array",
      description: "Several are asked in their order; an empty name is the tools and the person",
      items: {},
    },
  },
};

function Several({ value, onChange }: { value: unknown[]; onChange: (next: unknown) => void }) {
  return (
    <SchemaForm
      schema={SEVERAL}
      value={{ environment: value }}
      onChange={({ environment }) => onChange(environment)}
    />
  );
}
