/** The fields of each kind of transform. */
import { Checkbox, TagsInput, Textarea, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";

import { customTransformsQuery } from "@/api/transforms";
import type { TransformDraft } from "@/features/tapes/bulk/transformDraft";
import { PluginSelect } from "@/ui/PluginSelect";

interface FieldsProps {
  draft: TransformDraft;
  onChange: (part: Partial<TransformDraft>) => void;
}

export function TransformFields({ draft, onChange }: FieldsProps) {
  switch (draft.kind) {
    case "replace_text":
      return (
        <>
          <TextInput
            label="Find"
            description="A regular expression"
            value={draft.pattern}
            onChange={(event) => onChange({ pattern: event.currentTarget.value })}
          />
          <TextInput
            label="Replace with"
            description="\1 and \g<name> refer to groups; empty deletes the text"
            value={draft.replacement}
            onChange={(event) => onChange({ replacement: event.currentTarget.value })}
          />
          <Checkbox
            label="Ignore case"
            checked={draft.ignoreCase}
            onChange={(event) => onChange({ ignoreCase: event.currentTarget.checked })}
          />
          <Place draft={draft} onChange={onChange} description="Empty: all text fields of a step" />
          <Kinds draft={draft} onChange={onChange} label="Only in steps of kind" />
        </>
      );
    case "set_value":
      return (
        <>
          <Place
            draft={draft}
            onChange={onChange}
            description="For example /tool_calls/*/id; * matches every list item or object field"
          />
          <Textarea
            label="New value"
            description="JSON or plain text"
            autosize
            minRows={2}
            maxRows={8}
            value={draft.value}
            onChange={(event) => onChange({ value: event.currentTarget.value })}
          />
          <Kinds draft={draft} onChange={onChange} label="Only in steps of kind" />
        </>
      );
    case "drop_steps":
      return <Kinds draft={draft} onChange={onChange} label="Kinds of steps to delete" />;
    case "change_tool":
      return <ToolFields draft={draft} onChange={onChange} />;
    case "custom":
      return <CustomFields draft={draft} onChange={onChange} />;
  }
}

function Place({ draft, onChange, description }: FieldsProps & { description: string }) {
  return (
    <TextInput
      label="Where"
      description={description}
      placeholder="/content"
      value={draft.pointer}
      onChange={(event) => onChange({ pointer: event.currentTarget.value })}
    />
  );
}

function Kinds({ draft, onChange, label }: FieldsProps & { label: string }) {
  return (
    <TagsInput
      size="xs"
      label={label}
      placeholder="Type a kind, then Enter"
      data={["assistant", "tool", "user", "system", "assistant_thought", "set_next_node"]}
      value={[...draft.stepKinds]}
      onChange={(stepKinds) => onChange({ stepKinds })}
    />
  );
}

function ToolFields({ draft, onChange }: FieldsProps) {
  return (
    <>
      <TextInput
        label="Tool"
        value={draft.tool}
        onChange={(event) => onChange({ tool: event.currentTarget.value })}
      />
      <TextInput
        label="New name"
        description="Empty: keep the name"
        value={draft.newTool}
        onChange={(event) => onChange({ newTool: event.currentTarget.value })}
      />
      <Textarea
        label="Arguments"
        description="One per line: old = new"
        autosize
        minRows={2}
        maxRows={8}
        value={draft.names}
        onChange={(event) => onChange({ names: event.currentTarget.value })}
      />
    </>
  );
}

function CustomFields({ draft, onChange }: FieldsProps) {
  const found = useQuery(customTransformsQuery());
  return (
    <>
      <PluginSelect
        label="Transform"
        provided={found.data}
        value={draft.custom === "" ? null : draft.custom}
        onChange={(custom) => onChange({ custom: custom ?? "" })}
      />
      <Textarea
        label="Settings"
        description="A JSON object; empty: none"
        autosize
        minRows={2}
        maxRows={8}
        value={draft.settings}
        onChange={(event) => onChange({ settings: event.currentTarget.value })}
      />
    </>
  );
}
