import { ActionIcon, Tooltip } from "@mantine/core";
import { IconBrandPython, IconTerminal2, type Icon } from "@tabler/icons-react";

import { type SnippetFormat, snippetOf } from "@/features/tape-editor/share/api";
import { copyText } from "@/ui/copyText";

interface CallSnippetsProps {
  tapeId: string;
  callId: string;
}

/** Copies code that makes the LLM call elsewhere; it reads the key from the environment. */
export function CallSnippets({ tapeId, callId }: CallSnippetsProps) {
  const copy = (format: SnippetFormat, word: string) =>
    void copyText(snippetOf(tapeId, callId, format), `LLM call copied as ${word}`);
  return (
    <span role="group" aria-label="Copy the LLM call" style={{ display: "inline-flex", gap: 2 }}>
      <Snippet icon={IconTerminal2} label="Copy as curl" onClick={() => copy("curl", "curl")} />
      <Snippet
        icon={IconBrandPython}
        label="Copy as Python"
        onClick={() => copy("python", "Python")}
      />
    </span>
  );
}

interface SnippetProps {
  icon: Icon;
  label: string;
  onClick: () => void;
}

function Snippet({ icon: Drawn, label, onClick }: SnippetProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon size={24} aria-label={label} onClick={onClick}>
        <Drawn size={15} stroke={1.75} />
      </ActionIcon>
    </Tooltip>
  );
}
