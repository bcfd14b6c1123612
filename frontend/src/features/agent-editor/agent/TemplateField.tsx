/** The text of a prompt template; it grows as one types. */
import { VariableText } from "@/features/agent-editor/agent/VariableText";
import { templatesOf, withTemplate } from "@/features/agent-editor/draft/specChanges";
import { useAgentEditor, useSpec } from "@/features/agent-editor/editorContext";
import { SchemaForm } from "@/features/tape-editor/form";
import { isObject } from "@/lib/json";

interface TemplateFieldProps {
  agent: string;
  /** The template's name in the agent. */
  name: string;
  label: string;
  description?: string;
  placeholder: string;
  /** The place of the setting that names it, for a problem that leads here. */
  field?: string;
  error?: string | undefined;
}

const ANY_OBJECT = { type: "object" };

export function TemplateField(props: TemplateFieldProps) {
  const { agent, name, label, description, placeholder, field, error } = props;
  const [spec, change] = useSpec();
  const { nodeTypes } = useAgentEditor();
  const value = templatesOf(spec, agent)[name];
  const functions = nodeTypes.find((type) => type.function_schema !== null);
  if (isObject(value)) {
    return (
      <fieldset data-pointer={field}>
        <legend>{label}</legend>
        {description !== undefined && <p className="ts-hint">{description}</p>}
        <SchemaForm
          schema={functions?.function_schema ?? ANY_OBJECT}
          value={value}
          onChange={(next) => change(withTemplate(spec, agent, name, next))}
        />
      </fieldset>
    );
  }
  return (
    <div data-pointer={field}>
      <VariableText
        label={label}
        description={description}
        placeholder={placeholder}
        minRows={3}
        maxRows={24}
        error={error}
        value={typeof value === "string" ? value : ""}
        onChange={(text) => change(withTemplate(spec, agent, name, text))}
      />
    </div>
  );
}
