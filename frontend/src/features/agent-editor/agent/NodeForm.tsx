/** The form of a node: what it says first, then what it may do, then how. */
import { useMemo } from "react";

import type { NodeType } from "@/api/agentDrafts";
import classes from "@/features/agent-editor/agentEditor.module.css";
import { NameInput } from "@/features/agent-editor/agent/NameInput";
import { OrderTools, orderPlace } from "@/features/agent-editor/agent/OrderTools";
import { PlaceProblems } from "@/features/agent-editor/agent/PlaceProblems";
import { PROMPT_SETTINGS, PromptFields } from "@/features/agent-editor/agent/PromptFields";
import { isNamingSetting, SettingField } from "@/features/agent-editor/agent/SettingFields";
import {
  settingsOf,
  withMoved,
  withName,
  withoutPlace,
  withSettings,
} from "@/features/agent-editor/draft/specChanges";
import {
  agentOf,
  listAgents,
  numberOf,
  type NodePlace,
} from "@/features/agent-editor/draft/specPlaces";
import { useAgentEditor, useSpec } from "@/features/agent-editor/editorContext";
import { SchemaForm } from "@/features/tape-editor/form";
import { isObject, type JsonObject } from "@/lib/json";
import { visibleText } from "@/lib/visibleText";

export function NodeForm({ path }: { path: string }) {
  const { nodeTypes } = useAgentEditor();
  const [spec, change] = useSpec();
  const nodes = listAgents(spec).find((agent) => agent.path === agentOf(path))?.nodes ?? [];
  const node = nodes.find((known) => known.path === path);
  if (node === undefined) return null;
  const known = nodeTypes.find(({ type }) => type === node.type);
  return (
    <section className={classes.form} aria-label={visibleText(`Node ${node.name}`)}>
      <div className={classes.formHead}>
        <div data-pointer="/settings/name" className={classes.grows}>
          <NameInput
            label="Node"
            name={node.name}
            taken={nodes.map((other) => other.name)}
            onRename={(name) => change(withName(spec, path, name))}
          />
        </div>
        <NodeTools path={path} count={nodes.length} />
      </div>
      <p className="ts-hint" data-pointer="/type">
        <span className="ts-mono">{visibleText(node.type)}</span>{" "}
        {visibleText(known?.description.split("\n\n")[0] ?? "")}
        {known !== undefined && known.written_in !== "" && (
          <> What is not below is decided by its code: {visibleText(known.written_in)}.</>
        )}
      </p>
      <PlaceProblems path={path} />
      {known === undefined ? <PlainForm path={path} /> : <TypedForm node={node} known={known} />}
    </section>
  );
}

function NodeTools({ path, count }: { path: string; count: number }) {
  const { select } = useAgentEditor();
  const [spec, change] = useSpec();
  const at = numberOf(path);
  return (
    <OrderTools
      name="the node"
      place="/order"
      at={at}
      count={count}
      onMove={(by) => {
        change(withMoved(spec, path, by));
        select(`${agentOf(path)}/nodes/${at + by}`, orderPlace("", by));
      }}
      onRemove={() => {
        change(withoutPlace(spec, path));
        if (count > 1) select(`${agentOf(path)}/nodes/${Math.max(0, at - 1)}`, "/settings/name");
        else select(agentOf(path), "/nodes");
      }}
    />
  );
}

const ANY_SETTINGS = { type: "object" };

/** A type that this studio does not know, as when its plugin is gone: the settings stay. */
function PlainForm({ path }: { path: string }) {
  const [spec, change] = useSpec();
  return (
    <SchemaForm
      schema={ANY_SETTINGS}
      value={settingsOf(spec, path)}
      onChange={(settings) => change(withSettings(spec, path, settings))}
    />
  );
}

/** Rarely changed, and for nodes that ask a model. */
const RARE: ReadonlySet<string> = new Set(["sampling", "tool_choice"]);

function TypedForm({ node, known }: { node: NodePlace; known: NodeType }) {
  const { path, name } = node;
  const properties = propertiesOf(known);
  const naming = Object.entries(properties).filter(
    ([setting]) => isNamingSetting(setting) && (setting !== "llm" || known.has_prompt),
  );
  return (
    <>
      {known.has_prompt && <PromptFields path={path} name={name} schema={known.settings_schema} />}
      {naming.map(([setting, schema]) => (
        <SettingField
          key={setting}
          path={path}
          name={setting}
          title={TITLES[setting] ?? titleOf(setting, schema)}
          schema={isObject(schema) ? schema : {}}
        />
      ))}
      <OtherSettings path={path} known={known} isOther={isOther} />
      {known.has_prompt && (
        <details className={classes.more}>
          <summary className="ts-hint">Sampling and tool choice</summary>
          <OtherSettings path={path} known={known} isOther={isRare} />
        </details>
      )}
    </>
  );
}

const isRare = (setting: string) => RARE.has(setting);
const isOther = (setting: string) =>
  !isRare(setting) &&
  !isNamingSetting(setting) &&
  !PROMPT_SETTINGS.has(setting) &&
  setting !== "name";

interface OtherSettingsProps {
  path: string;
  known: NodeType;
  isOther: (setting: string) => boolean;
}

/** Fields from the schema of the node's type, for the settings that have none of their own. */
function OtherSettings({ path, known, isOther: isShown }: OtherSettingsProps) {
  const [spec, change] = useSpec();
  const schema = useMemo(() => partOf(known.settings_schema, isShown), [known, isShown]);
  const settings = settingsOf(spec, path);
  if (Object.keys(schema.properties).length === 0) return null;
  const shown = Object.keys(schema.properties);
  const value = Object.fromEntries(
    shown.flatMap((name) => (Object.hasOwn(settings, name) ? [[name, settings[name]]] : [])),
  );
  return (
    <div data-fields="/settings">
      <SchemaForm
        schema={schema}
        value={value}
        onChange={(next) => {
          const gone = shown.filter((name) => !Object.hasOwn(next, name));
          const removed = Object.fromEntries(gone.map((name) => [name, undefined]));
          change(withSettings(spec, path, { ...removed, ...next }));
        }}
      />
    </div>
  );
}

function partOf(schema: JsonObject, isShown: (setting: string) => boolean) {
  const properties = isObject(schema.properties) ? schema.properties : {};
  const required: unknown[] = Array.isArray(schema.required) ? schema.required : [];
  return {
    ...schema,
    additionalProperties: false,
    properties: Object.fromEntries(Object.entries(properties).filter(([name]) => isShown(name))),
    required: required.filter((name) => typeof name === "string" && isShown(name)),
  };
}

function propertiesOf({ settings_schema: schema }: NodeType): JsonObject {
  return isObject(schema.properties) ? schema.properties : {};
}

const TITLES: Readonly<Record<string, string>> = { llm: "Model", steps: "Steps it may write" };

function titleOf(setting: string, schema: unknown): string {
  const title = isObject(schema) && typeof schema.title === "string" ? schema.title : setting;
  const words = title.replaceAll("_", " ").toLowerCase();
  return visibleText(words.charAt(0).toUpperCase() + words.slice(1));
}
