/** Publishes a version, or rolls back to it, from wherever versions are shown. */
import { Modal } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";

import { agentQuery } from "@/api/agents";
import { describeError } from "@/api/client";
import type { AgentRow } from "@/api/types";
import { Offer } from "@/features/agents/publish/Offer";
import { type Numbered, publishedOf, wordsFor } from "@/features/agents/publish/usePublishing";
import { visibleText } from "@/lib/visibleText";
import { RowsSkeleton } from "@/ui/States";

interface PublishDialogProps {
  agent: AgentRow;
  /** `null`: the dialog is closed. */
  version: Numbered | null;
  onClose: () => void;
}

export function PublishDialog({ agent, version, onClose }: PublishDialogProps) {
  const title = version === null ? "" : `${wordsFor(agent, version)} of ${visibleText(agent.name)}`;
  return (
    <Modal opened={version !== null} onClose={onClose} title={title} size={560}>
      {version !== null && <Body agent={agent} version={version} onClose={onClose} />}
    </Modal>
  );
}

interface BodyProps extends PublishDialogProps {
  version: Numbered;
}

function Body({ agent, version, onClose }: BodyProps) {
  const detail = useQuery(agentQuery(agent.id));
  const full = detail.data?.versions.find(({ id }) => id === version.id);
  const published = publishedOf(agent);
  if (detail.isPending) return <RowsSkeleton label="Loading the version" rows={2} />;
  if (full === undefined) {
    return <p role="alert">{detail.isError ? describeError(detail.error) : "It is not there."}</p>;
  }
  return (
    <div className="ts-stack">
      <p>
        {published === undefined
          ? "No version is published yet. New runs and "
          : `v${published.number} is published. New runs and `}
        <span className="ts-mono">agent:{visibleText(agent.name)}@published</span> will use v
        {version.number}; what names a version by its number stays as it is.
      </p>
      <Offer agent={agent} version={full} isFocused onPublished={onClose} />
    </div>
  );
}
