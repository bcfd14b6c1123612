/** An agent as text: pasted, or read from files, of which one may name others. */
import { Button, FileButton, Textarea } from "@mantine/core";
import { IconFileUpload } from "@tabler/icons-react";

import type { AgentFiles } from "@/api/agentDrafts";
import { visibleText } from "@/lib/visibleText";

const EXAMPLE = `name: order_helper
llms:
  default: {model: "script:stand-in"}
templates:
  system: You answer questions about orders.
nodes:
  - type: engine.TalkNode
    settings: {name: answer}`;

interface AgentFileFieldsProps {
  files: AgentFiles;
  onChange: (files: AgentFiles) => void;
}

export function AgentFileFields({ files, onChange }: AgentFileFieldsProps) {
  return (
    <>
      <Textarea
        label="Text of the file"
        description="YAML of an agent, Google ADK's agent config, or Python code of OpenAI's Agents SDK; nothing in it is executed. An agent of the same name gets it as its next version."
        placeholder={EXAMPLE}
        autosize
        minRows={8}
        maxRows={20}
        data-autofocus
        value={files.text}
        onChange={({ currentTarget }) => onChange({ ...files, text: currentTarget.value })}
      />
      {files.others.length > 0 && (
        <p className="ts-hint">
          {visibleText(files.path)}, with{" "}
          {files.others.map(({ path }) => visibleText(path)).join(", ")}
        </p>
      )}
      <FileButton
        multiple
        accept=".yaml,.yml,.py,application/yaml,text/yaml,text/x-python"
        onChange={(chosen) => {
          if (chosen.length > 0) void readFiles(chosen).then(onChange);
        }}
      >
        {(props) => (
          <Button
            variant="default"
            size="compact-sm"
            leftSection={<IconFileUpload size={14} />}
            {...props}
          >
            Choose files
          </Button>
        )}
      </FileButton>
    </>
  );
}

/** The file that no other one names comes first. */
async function readFiles(chosen: readonly File[]): Promise<AgentFiles> {
  const read = await Promise.all(
    chosen.map(async (file) => ({ path: file.name, text: await file.text() })),
  );
  const isNamed = (path: string) =>
    read.some((other) => other.path !== path && other.text.includes(path));
  const first = read.find(({ path }) => !isNamed(path)) ?? read[0];
  return {
    text: first?.text ?? "",
    path: first?.path ?? "",
    others: read.filter((file) => file !== first),
  };
}
