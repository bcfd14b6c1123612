/** The texts that a node's prompt begins and ends with: templates of its agent. */
import { Button, Select } from "@mantine/core";

import type { NodeType } from "@/api/agentDrafts";
import classes from "@/features/agent-editor/agentEditor.module.css";
import { TemplateField } from "@/features/agent-editor/agent/TemplateField";
import {
  freeName,
  settingsOf,
  templatesOf,
  withSettings,
  withTemplate,
} from "@/features/agent-editor/draft/specChanges";
import { agentOf, listAgents } from "@/features/agent-editor/draft/specPlaces";
import { useAgentEditor, useSpec } from "@/features/agent-editor/editorContext";
import { isObject, type JsonObject } from "@/lib/json";
import { visibleText } from "@/lib/visibleText";

/** Settings that name a template, in the order of the prompt. */
const TEXTS = [
  {
    setting: "template",
    label: "Instruction",
    placeholder: "You answer questions about orders. Use the tools for facts; never guess.",
  },
  {
    setting: "template_name",
    label: "Function",
    placeholder: "What the function does, with its inputs and outputs",
  },
  {
    setting: "guidance",
    label: "Guidance",
    placeholder: "Carry out the next step of your plan. (At the end of the prompt; optional.)",
  },
] as const;

type PromptText = (typeof TEXTS)[number];

export const PROMPT_SETTINGS: ReadonlySet<string> = new Set(TEXTS.map(({ setting }) => setting));

interface PromptFieldsProps {
  path: string;
  name: string;
  schema: JsonObject;
}

export function PromptFields({ path, name, schema }: PromptFieldsProps) {
  const properties = isObject(schema.properties) ? schema.properties : {};
  const shown = TEXTS.filter(({ setting }) => Object.hasOwn(properties, setting));
  return shown.map((text) => (
    <PromptField
      key={text.setting}
      path={path}
      name={name}
      text={text}
      usual={usualOf(schema, text.setting)}
      reads={Object.hasOwn(properties, "input_refs") ? QUESTION : {}}
    />
  ));
}

interface PromptFieldProps {
  path: string;
  /** The node's. */
  name: string;
  text: PromptText;
  /** The template when the setting is not there. */
  usual: string;
  /** Settings that give the function to begin with its input. */
  reads: JsonObject;
}

function PromptField({ path, name, text, usual, reads }: PromptFieldProps) {
  const { nodeTypes } = useAgentEditor();
  const [spec, change] = useSpec();
  const { setting, label, placeholder } = text;
  const agent = agentOf(path);
  const templates = templatesOf(spec, agent);
  const chosen = settingsOf(spec, path)[setting];
  const template = typeof chosen === "string" ? chosen : usual;
  const own = freeName(`${name}_${label.toLowerCase()}`, Object.keys(templates));
  const choose = (to: string) => change(withSettings(spec, path, { [setting]: to }));
  const writeOwn = (from: unknown, also: JsonObject = {}) =>
    change(withSettings(withTemplate(spec, agent, own, from), path, { [setting]: own, ...also }));
  if (template === "") {
    return (
      <div className="ts-row" data-pointer={`/settings/${setting}`}>
        <span className={classes.label}>{label}</span>
        <Button
          variant="default"
          size="compact-xs"
          onClick={() => (setting === "template_name" ? writeOwn(FUNCTION, reads) : writeOwn(""))}
        >
          Write {label.toLowerCase()}
        </Button>
        <span className="ts-hint">{HINTS[setting]}</span>
      </div>
    );
  }
  const others = usersOf(spec, agent, template, nodeTypes).filter((user) => user !== name);
  return (
    <div className="ts-stack">
      <TemplateField
        agent={agent}
        name={template}
        label={label}
        placeholder={placeholder}
        field={`/settings/${setting}`}
        {...(others.length === 0
          ? {}
          : { description: visibleText(`Also the text of ${others.join(", ")}`) })}
      />
      <div className={`ts-row ${classes.under}`}>
        <Select
          aria-label={`Template of the ${label.toLowerCase()}`}
          size="xs"
          w={200}
          data={[...new Set([...Object.keys(templates), template])].map((known) => ({
            value: known,
            label: visibleText(known),
          }))}
          value={template}
          allowDeselect={false}
          onChange={(to) => to !== null && choose(to)}
        />
        {others.length > 0 && (
          <Button
            variant="subtle"
            size="compact-xs"
            onClick={() => writeOwn(templates[template] ?? "")}
          >
            Give this node its own
          </Button>
        )}
        {setting === "guidance" && (
          <Button variant="subtle" color="gray" size="compact-xs" onClick={() => choose("")}>
            No guidance
          </Button>
        )}
      </div>
    </div>
  );
}

/** A function to begin with. */
const FUNCTION = {
  desc: "Answer the question.",
  inputs: [{ type: "input", name: "question" }],
  outputs: [{ type: "assistant", name: "answer" }],
};

/** Its input is what the person said last. */
const QUESTION = { input_refs: [{ kind: "user" }] };

const HINTS: Record<PromptText["setting"], string> = {
  template: "The prompt begins with it.",
  template_name: "A text with typed inputs and outputs.",
  guidance: "The prompt ends with it.",
};

/** The nodes of an agent whose settings, or their defaults, name a template. */
function usersOf(
  spec: JsonObject,
  agent: string,
  template: string,
  nodeTypes: readonly NodeType[],
): string[] {
  const nodes = listAgents(spec).find(({ path }) => path === agent)?.nodes ?? [];
  return nodes.flatMap(({ path, name, type }) => {
    const settings = settingsOf(spec, path);
    const schema = nodeTypes.find((known) => known.type === type)?.settings_schema ?? {};
    const isUser = TEXTS.some(
      ({ setting }) => (settings[setting] ?? usualOf(schema, setting)) === template,
    );
    return isUser ? [name] : [];
  });
}

/** The template when a setting is not there. */
function usualOf(schema: JsonObject, setting: string): string {
  const property = isObject(schema.properties) ? schema.properties[setting] : undefined;
  return isObject(property) && typeof property.default === "string" ? property.default : "";
}
