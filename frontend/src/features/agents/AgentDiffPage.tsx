/** Two versions of an agent side by side: how their prompts, nodes and models differ. */
import { ActionIcon, Anchor, Button, Tooltip } from "@mantine/core";
import { IconArrowsLeftRight, IconEqual } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useSearchParams } from "react-router";

import { agentDiffQuery } from "@/api/agents";
import { describeError } from "@/api/client";
import { ForWriters } from "@/api/ForWriters";
import type { AgentDetail, AgentVersion } from "@/api/types";
import classes from "@/features/agents/Agents.module.css";
import { CompareOn } from "@/features/agents/CompareOn";
import { LoadedAgent } from "@/features/agents/LoadedAgent";
import { Outcomes } from "@/features/agents/Outcomes";
import { PublishDialog } from "@/features/agents/publish/PublishDialog";
import { usePublishKey } from "@/features/agents/publish/usePublishKey";
import { type Numbered, wordsFor } from "@/features/agents/publish/usePublishing";
import { VersionSelect } from "@/features/agents/VersionSelect";
import { SpecFields } from "@/ui/fields/SpecFields";
import { UnifiedButton } from "@/ui/fields/UnifiedButton";
import { useUnified, type Unified } from "@/ui/fields/useUnified";
import { countOf } from "@/lib/format";
import { useKeys } from "@/lib/keys";
import { visibleText } from "@/lib/visibleText";
import { PageHeader } from "@/ui/PageHeader";
import { EmptyState, ErrorState, RowsSkeleton } from "@/ui/States";

export function AgentDiffPage() {
  return <LoadedAgent>{(agent) => <Versions agent={agent} />}</LoadedAgent>;
}

function Versions({ agent }: { agent: AgentDetail }) {
  const [params, setParams] = useSearchParams();
  const unified = useUnified();
  const find = (name: string) =>
    agent.versions.find(({ number }) => String(number) === params.get(name));
  const right = find("b") ?? agent.versions[0];
  const left = find("a") ?? agent.versions.find(({ id }) => id !== right?.id) ?? right;
  const choose = (a: AgentVersion | undefined, b: AgentVersion | undefined) =>
    setParams({ a: String(a?.number), b: String(b?.number) }, { replace: true });
  const at = (number: string) => agent.versions.find((one) => String(one.number) === number);
  const swap = () => choose(right, left);
  const [publishing, setPublishing] = useState<Numbered | null>(null);
  const offered = right?.number === agent.published_version ? undefined : right;
  const publish = () => setPublishing(offered ?? null);
  usePublishKey(offered === undefined ? null : publish);
  useKeys("Diff", [
    { keys: "x", label: "Swap sides", run: swap },
    {
      keys: "u",
      label: unified.isUnified ? "Show side by side" : "Show unified",
      run: unified.toggle,
    },
  ]);
  return (
    <div className={`ts-column ${classes.diff}`}>
      <PageHeader
        title="Versions"
        note={
          <Anchor component={Link} to={`/agents/${agent.id}`}>
            {visibleText(agent.name)}
          </Anchor>
        }
      >
        <VersionSelect
          label="Left version"
          versions={agent.versions}
          published={agent.published_version}
          current={left}
          onChange={(number) => choose(at(number), right)}
        />
        <Tooltip label="Swap sides (x)">
          <ActionIcon aria-label="Swap sides" onClick={swap}>
            <IconArrowsLeftRight size={16} stroke={1.75} />
          </ActionIcon>
        </Tooltip>
        <VersionSelect
          label="Right version"
          versions={agent.versions}
          published={agent.published_version}
          current={right}
          onChange={(number) => choose(left, at(number))}
        />
        <UnifiedButton {...unified} />
      </PageHeader>
      {right !== undefined && left !== undefined && (
        <div className={`ts-row ${classes.diffOutcomes}`}>
          <Outcomes left={left} right={right} />
          <ForWriters>
            <CompareOn agent={agent} version={right} before={left} />
            {offered !== undefined && (
              <Button
                variant="subtle"
                size="compact-sm"
                title="Publish the right version (P)"
                onClick={publish}
              >
                {wordsFor(agent, offered)}…
              </Button>
            )}
          </ForWriters>
        </div>
      )}
      <PublishDialog agent={agent} version={publishing} onClose={() => setPublishing(null)} />
      {left !== undefined && right !== undefined && (
        <Compared left={left} right={right} unified={unified} />
      )}
    </div>
  );
}

interface ComparedProps {
  left: AgentVersion;
  right: AgentVersion;
  unified: Unified;
}

function Compared({ left, right, unified: { measure, isUnified } }: ComparedProps) {
  const diff = useQuery(agentDiffQuery(left.id, right.id));
  if (diff.isPending) return <RowsSkeleton rows={8} label="Comparing versions" />;
  if (diff.data === undefined) {
    return (
      <ErrorState
        title="The versions could not be compared"
        message={describeError(diff.error)}
        onRetry={() => void diff.refetch()}
      />
    );
  }
  const { fields } = diff.data;
  if (fields.length === 0) {
    return (
      <EmptyState title="The versions are identical" icon={<IconEqual size={24} stroke={1.5} />}>
        Choose another version on either side.
      </EmptyState>
    );
  }
  return (
    <section
      className={`ts-scroll ${classes.diffFields}`}
      ref={measure}
      aria-label="Fields compared"
    >
      <p className={classes.lead}>
        {countOf(fields.length, "difference")} between v{left.number} (left) and v{right.number}{" "}
        (right).
      </p>
      <SpecFields key={`${left.id} ${right.id}`} fields={fields} isUnified={isUnified} most={50} />
    </section>
  );
}
