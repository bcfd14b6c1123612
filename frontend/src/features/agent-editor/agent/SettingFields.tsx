/** The settings of a node that name something else: a model, tools, steps, another node. */
import { Anchor, Select, TagsInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";

import { toolsQuery } from "@/api/agentDrafts";
import { NewKind } from "@/features/agent-editor/agent/KindFields";
import { writableKinds } from "@/features/agent-editor/draft/kindChanges";
import { GO_TO, settingsOf, withSettings } from "@/features/agent-editor/draft/specChanges";
import { agentOf, listAgents, objectAt } from "@/features/agent-editor/draft/specPlaces";
import { useSpec } from "@/features/agent-editor/editorContext";
import { stepKindsQuery } from "@/features/tape-editor/form";
import { isObject, type JsonObject } from "@/lib/json";
import { describedText, visibleText } from "@/lib/visibleText";

const LISTS: ReadonlySet<string> = new Set(["tools", "steps"]);

/** Whether a setting has a field of its own here. */
export function isNamingSetting(name: string): boolean {
  return GO_TO.has(name) || LISTS.has(name) || name === "llm" || name === "subagent";
}

interface SettingFieldProps {
  path: string;
  name: string;
  /** Its part of the node type's schema. */
  schema: JsonObject;
  title: string;
}

export function SettingField(props: SettingFieldProps) {
  return LISTS.has(props.name) ? <NamesField {...props} /> : <NameField {...props} />;
}

/** One line of help: the beginning of the setting's description. */
function helpOf({ description }: JsonObject): string {
  if (typeof description !== "string") return "";
  const [first = ""] = description.replaceAll(/\s+/g, " ").split(/(?<=\.) |[;:] /);
  return describedText(first.replace(/\.$/, ""));
}

function NamesField({ path, name, schema, title }: SettingFieldProps) {
  const [spec, change] = useSpec();
  const tools = useQuery({ ...toolsQuery(), enabled: name === "tools" });
  const kinds = useQuery({ ...stepKindsQuery(), enabled: name === "steps" });
  const value = settingsOf(spec, path)[name];
  const chosen = textsOf(value);
  const brought = value === undefined ? textsOf(schema.default) : [];
  const helpOfTool = new Map((tools.data ?? []).map((tool) => [tool.name, tool.description]));
  const offered =
    name === "tools"
      ? [...helpOfTool.keys()]
      : [...writableKinds(spec), ...(kinds.data ?? []).map(({ kind }) => kind)];
  return (
    <div data-pointer={`/settings/${name}`}>
      <TagsInput
        label={title}
        description={helpOf(schema)}
        placeholder={chosen.length + brought.length > 0 ? "" : EXAMPLES[name]}
        data={[...new Set([...offered, ...chosen])]}
        renderOption={({ option: { value: item } }) => (
          <div>
            <div className="ts-mono">{visibleText(item)}</div>
            <div className="ts-hint">{visibleText(helpOfTool.get(item) ?? "")}</div>
          </div>
        )}
        value={chosen}
        onChange={(next) => change(withSettings(spec, path, { [name]: next }))}
      />
      {brought.length > 0 && (
        <p className="ts-hint">
          From the type of the node, until others are chosen:{" "}
          <span className="ts-mono">{visibleText(brought.join(", "))}</span>
        </p>
      )}
      {name === "tools" && (
        <p className="ts-hint">
          <Anchor component={Link} to="/environments" inherit underline="always">
            Environments
          </Anchor>{" "}
          shows which tools there are and whether they work.
        </p>
      )}
      {name === "steps" && <NewKind node={path} />}
    </div>
  );
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

const EXAMPLES: Readonly<Record<string, string>> = {
  tools: "my_tools.look_up_order",
  steps: "assistant",
};

function NameField({ path, name, schema, title }: SettingFieldProps) {
  const [spec, change] = useSpec();
  const value = settingsOf(spec, path)[name];
  const usual = typeof schema.default === "string" ? schema.default : "";
  const chosen = typeof value === "string" ? value : usual;
  const offered = offeredNames(spec, path, name);
  const isAny = name !== "llm" && usual === "" && schema.default !== undefined;
  return (
    <div data-pointer={`/settings/${name}`}>
      <Select
        label={title}
        description={helpOf(schema)}
        placeholder={isAny ? "In order" : "Choose…"}
        clearable={isAny}
        searchable
        data={[...new Set([...offered, ...(chosen === "" ? [] : [chosen])])].map((known) => ({
          value: known,
          label: visibleText(known),
        }))}
        value={chosen === "" ? null : chosen}
        onChange={(next) =>
          change(withSettings(spec, path, { [name]: next ?? (isAny ? "" : undefined) }))
        }
      />
    </div>
  );
}

function offeredNames(spec: JsonObject, path: string, setting: string): string[] {
  const agent = agentOf(path);
  if (setting === "llm") {
    const { llms } = objectAt(spec, agent);
    return ["default", ...(isObject(llms) ? Object.keys(llms) : [])];
  }
  if (setting === "subagent") {
    const inside = new RegExp(`^${agent}/subagents/\\d+$`);
    return listAgents(spec).flatMap((member) => (inside.test(member.path) ? [member.name] : []));
  }
  const own = listAgents(spec).find((member) => member.path === agent);
  return own?.nodes.map((node) => node.name) ?? [];
}
