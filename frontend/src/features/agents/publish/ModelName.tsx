/** What a version is called over HTTP and in a shell: by its number, or as the published one. */
import { CopyButton, UnstyledButton } from "@mantine/core";
import { IconCheck, IconCopy } from "@tabler/icons-react";

import type { AgentDetail } from "@/api/types";
import type { Numbered } from "@/features/agents/publish/usePublishing";
import { visibleText } from "@/lib/visibleText";

interface ModelNameProps {
  agent: AgentDetail;
  version: Numbered;
}

export function ModelName({ agent, version: { number } }: ModelNameProps) {
  const { name, published_version: published } = agent;
  return (
    <div>
      <p className="ts-hint">Called over HTTP and in a shell as</p>
      <p>
        <Name value={`agent:${name}@${number}`} />
      </p>
      {published === number && (
        <p>
          <Name value={`agent:${name}@published`} />
        </p>
      )}
      {published !== null && published !== number && (
        <p className="ts-hint">@published is v{published}.</p>
      )}
    </div>
  );
}

function Name({ value }: { value: string }) {
  return (
    <CopyButton value={value} timeout={1500}>
      {({ copied, copy }) => (
        <UnstyledButton
          className="ts-inline"
          title={copied ? "Copied" : "Click to copy"}
          aria-label={`Copy ${visibleText(value)}`}
          onClick={copy}
        >
          <span className="ts-mono ts-words">{visibleText(value)}</span>
          {copied ? <IconCheck size={12} /> : <IconCopy size={12} />}
        </UnstyledButton>
      )}
    </CopyButton>
  );
}
