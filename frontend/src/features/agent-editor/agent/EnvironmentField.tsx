/** What answers the actions of an agent: registered types in their order, with their settings. */
import { Select } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";

import { environmentsQuery, type EnvironmentType } from "@/api/agentDrafts";
import { ListOrderTools } from "@/features/agent-editor/agent/OrderTools";
import classes from "@/features/agent-editor/agentEditor.module.css";
import {
  listEnvironments,
  withEnvironments,
  type Environment,
} from "@/features/agent-editor/draft/environments";
import { useAgentEditor, useSpec } from "@/features/agent-editor/editorContext";
import { SchemaForm } from "@/features/tape-editor/form";
import { describedText, visibleText } from "@/lib/visibleText";

const USUAL = "The tools of its nodes, and the person";
/** A select has no empty value. */
const NO_NAME = " ";

export function EnvironmentField() {
  const { select } = useAgentEditor();
  const [spec, change] = useSpec();
  const known = useQuery(environmentsQuery()).data ?? [];
  const all = listEnvironments(spec);
  const put = (next: readonly Environment[]) => change(withEnvironments(spec, next));
  const make = (name: string): Environment =>
    known.find((one) => one.name === name)?.settings_schema ? { name, settings: {} } : { name };
  const add = (name: string) => {
    // The usual one takes what the others leave, so it stays the last.
    const place = all.at(-1)?.name === "" ? all.length - 1 : all.length;
    put([...all.slice(0, place), make(name), ...all.slice(place)]);
    select("", `/environment/${place}`);
  };
  return (
    <section className="ts-stack" data-pointer="/environment" aria-label="Environment">
      <h3>Environment</h3>
      <p className="ts-hint">What answers its actions; of several, the first one that can.</p>
      {all.map((one, at) => (
        // By its place: a change keeps the cursor.
        <fieldset key={at} className={classes.model} data-pointer={`/environment/${at}`}>
          <div className={classes.environmentRow}>
            <TypeSelect
              label={all.length === 1 ? "Answered by" : `Answered by, ${at + 1} of ${all.length}`}
              known={known}
              name={one.name}
              onChange={(name) => put(all.map((old, n) => (n === at ? make(name) : old)))}
            />
            {(all.length > 1 || one.name !== "") && (
              <ListOrderTools
                what={(number) => `environment ${number}`}
                list="/environment"
                at={at}
                count={all.length}
                onMove={(by) => put(moved(all, at, by))}
                onRemove={() => put(all.filter((_, n) => n !== at))}
              />
            )}
          </div>
          <Settings
            one={one}
            at={at}
            schema={known.find((type) => type.name === one.name)?.settings_schema ?? null}
            isAlone={all.length === 1}
            onChange={(settings) =>
              put(all.map((old, n) => (n === at ? { ...old, settings } : old)))
            }
          />
        </fieldset>
      ))}
      <Select
        label="Add an environment"
        placeholder="Choose…"
        searchable
        data={known.map(({ name }) => ({ value: name, label: visibleText(name) }))}
        renderOption={({ option }) => <Described known={known} {...option} />}
        value={null}
        onChange={(name) => name !== null && add(name)}
      />
    </section>
  );
}

interface SettingsProps {
  one: Environment;
  at: number;
  schema: Exclude<EnvironmentType["settings_schema"], undefined>;
  isAlone: boolean;
  onChange: (settings: Record<string, unknown>) => void;
}

/** Of a type that is not registered here, as when its plugin is gone, they are any object. */
function Settings({ one: { settings }, at, schema, isAlone, onChange }: SettingsProps) {
  if (schema === null && settings === undefined) return null;
  return (
    <div data-fields={isAlone ? "/environment/settings" : `/environment/${at}/settings`}>
      <SchemaForm
        schema={schema ?? { type: "object" }}
        value={settings ?? {}}
        onChange={onChange}
      />
    </div>
  );
}

interface TypeSelectProps {
  label: string;
  known: readonly EnvironmentType[];
  name: string;
  onChange: (name: string) => void;
}

function TypeSelect({ label, known, name, onChange }: TypeSelectProps) {
  const names = new Set(["", ...known.map((one) => one.name), name]);
  return (
    <Select
      label={label}
      allowDeselect={false}
      data={[...names].map((one) => ({
        value: one === "" ? NO_NAME : one,
        label: one === "" ? USUAL : visibleText(one),
      }))}
      renderOption={({ option }) => <Described known={known} {...option} />}
      value={name === "" ? NO_NAME : name}
      onChange={(next) => onChange(next === NO_NAME || next === null ? "" : next)}
    />
  );
}

interface DescribedProps {
  known: readonly EnvironmentType[];
  value: string;
  label: string;
}

function Described({ known, value, label }: DescribedProps) {
  return (
    <div>
      <div>{label}</div>
      <div className="ts-caption">
        {describedText(known.find((one) => one.name === value)?.description ?? "")}
      </div>
    </div>
  );
}

function moved<T>(all: readonly T[], at: number, by: 1 | -1): T[] {
  const rest = all.filter((_, n) => n !== at);
  return [...rest.slice(0, at + by), ...all.slice(at, at + 1), ...rest.slice(at + by)];
}
