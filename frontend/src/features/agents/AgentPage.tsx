import { Button } from "@mantine/core";
import { IconGitCompare, IconPencil } from "@tabler/icons-react";
import { useState } from "react";
import { Link, useSearchParams } from "react-router";

import { ForWriters } from "@/api/ForWriters";
import type { AgentDetail, AgentSpec } from "@/api/types";
import classes from "@/features/agents/Agents.module.css";
import { AgentTree } from "@/features/agents/AgentTree";
import { LoadedAgent } from "@/features/agents/LoadedAgent";
import { PlainCopy } from "@/features/agents/PlainCopy";
import { PublishDialog } from "@/features/agents/publish/PublishDialog";
import { usePublishKey } from "@/features/agents/publish/usePublishKey";
import type { Numbered } from "@/features/agents/publish/usePublishing";
import { PublishPanel } from "@/features/agents/PublishPanel";
import { StartTape } from "@/features/agents/StartTape";
import { ToolList } from "@/features/agents/ToolList";
import { VersionList } from "@/features/agents/VersionList";
import { VersionScores } from "@/features/agents/VersionScores";
import { VersionSelect } from "@/features/agents/VersionSelect";
import { shortId } from "@/lib/format";
import { visibleText } from "@/lib/visibleText";
import { PageHeader } from "@/ui/PageHeader";
import { RelativeTime } from "@/ui/Quantities";
import { ShortId } from "@/ui/ShortId";

export function AgentPage() {
  return <LoadedAgent>{(agent) => <AgentBody agent={agent} />}</LoadedAgent>;
}

function AgentBody({ agent }: { agent: AgentDetail }) {
  const [params, setParams] = useSearchParams();
  const wanted = params.get("v");
  const version =
    agent.versions.find(({ number }) => String(number) === wanted) ??
    agent.versions.find(({ id }) => id === agent.default_version_id) ??
    agent.versions[0];
  const [publishing, setPublishing] = useState<Numbered | null>(null);
  const isOffered = version !== undefined && version.number !== agent.published_version;
  usePublishKey(isOffered ? () => setPublishing(version) : null);
  const environments = version === undefined ? [] : nameEnvironments(version.spec.environment);
  return (
    <>
      <PageHeader title={visibleText(agent.name)} note={<ShortId id={agent.id} />}>
        <ForWriters>
          <Button
            component={Link}
            to={`/agents/${agent.id}/edit`}
            leftSection={<IconPencil size={16} stroke={1.75} />}
          >
            Edit
          </Button>
        </ForWriters>
        {agent.versions.length > 1 && (
          <Button
            component={Link}
            variant="default"
            to={compareAddress(agent.id, version?.number)}
            leftSection={<IconGitCompare size={16} stroke={1.75} />}
          >
            Compare versions
          </Button>
        )}
        <VersionSelect
          label="Version"
          versions={agent.versions}
          published={agent.published_version}
          current={version}
          onChange={(number) => setParams({ v: number }, { replace: true })}
        />
      </PageHeader>
      {version !== undefined && (
        <div className={classes.columns}>
          <div className={classes.main}>
            {version.spec.description !== "" && (
              <p className={classes.lead}>{visibleText(version.spec.description)}</p>
            )}
            <VersionScores agent={agent} />
            <h2 className={classes.sectionTitle}>Structure</h2>
            <AgentTree spec={version.spec} />
            <PlainCopy version={version} />
            <h2 className={classes.sectionTitle}>Tools</h2>
            <ToolList tools={agent.tools} />
            {version.tool_rules.length > 0 && (
              <>
                <h2 className={classes.sectionTitle}>Tool rules</h2>
                <ol className={classes.prose}>
                  {version.tool_rules.map((rule, at) => (
                    <li key={at}>
                      {at + 1}. {visibleText(rule)}
                    </li>
                  ))}
                </ol>
              </>
            )}
            <h2 className={classes.sectionTitle}>Versions</h2>
            <VersionList agent={agent} onPublish={setPublishing} />
            <PublishDialog agent={agent} version={publishing} onClose={() => setPublishing(null)} />
          </div>
          <aside className={classes.side}>
            <ForWriters>
              <StartTape version={version} />
            </ForWriters>
            <PublishPanel key={version.id} agent={agent} version={version} />
            <dl className={classes.facts}>
              <dt>Version</dt>
              <dd>{version.number}</dd>
              <dt>Recorded</dt>
              <dd>
                <RelativeTime value={version.created_at} />
              </dd>
              <dt>Digest</dt>
              <dd className="ts-mono">{shortId(version.digest)}</dd>
              {environments.length > 0 && (
                <>
                  <dt>Environment</dt>
                  <dd className="ts-mono">{environments.join(", ")}</dd>
                </>
              )}
            </dl>
          </aside>
        </div>
      )}
    </>
  );
}

/** The diff of a version with the one before it. */
function compareAddress(agentId: string, number = 1): string {
  const right = Math.max(number, 2);
  return `/agents/${agentId}/diff?a=${right - 1}&b=${right}`;
}

/** The registered types, in the order in which they are asked. */
function nameEnvironments(chosen: AgentSpec["environment"]): string[] {
  const all = Array.isArray(chosen) ? chosen : [chosen];
  return all.map((one) => (typeof one === "string" ? one : one.type)).filter((name) => name !== "");
}
