/** Publishes a version at once, where its results are in view; a refusal says why in a dialog. */
import { Button } from "@mantine/core";
import { useState } from "react";

import { ForWriters } from "@/api/ForWriters";
import type { AgentRow } from "@/api/types";
import { PublishDialog } from "@/features/agents/publish/PublishDialog";
import { type Numbered, usePublishing, wordsFor } from "@/features/agents/publish/usePublishing";

interface PublishButtonProps {
  agent: AgentRow;
  version: Numbered;
}

export function PublishButton({ agent, version }: PublishButtonProps) {
  const [isRefused, setRefused] = useState(false);
  const { send, isPending } = usePublishing(agent);
  if (agent.published_version === version.number) return <span className="ts-good">published</span>;
  return (
    <ForWriters>
      <Button
        variant="subtle"
        size="compact-sm"
        loading={isPending}
        onClick={() => {
          send(version).catch(() => setRefused(true));
        }}
      >
        {wordsFor(agent, version)}
      </Button>
      <PublishDialog
        agent={agent}
        version={isRefused ? version : null}
        onClose={() => setRefused(false)}
      />
    </ForWriters>
  );
}
