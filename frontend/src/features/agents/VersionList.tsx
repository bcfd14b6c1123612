/** The versions of an agent: what each was made for, by whom, how it scored, and going back to it. */
import { Anchor, Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";

import { yamlAddress } from "@/api/agentDrafts";
import { pinnedSuitesQuery } from "@/api/publishing";
import { useCanWrite } from "@/api/session";
import type { AgentDetail, AgentVersion } from "@/api/types";
import { CompareOn } from "@/features/agents/CompareOn";
import { EditFrom } from "@/features/agents/EditFrom";
import { type Numbered, wordsFor } from "@/features/agents/publish/usePublishing";
import { SuiteScores } from "@/features/agents/SuiteScores";
import { VersionNote } from "@/features/agents/VersionNote";
import { countOf } from "@/lib/format";
import { visibleText } from "@/lib/visibleText";
import { MoreButton } from "@/ui/MoreButton";
import { PlainTable } from "@/ui/PlainTable";
import { RelativeTime } from "@/ui/Quantities";

const FIRST = 10;

interface VersionListProps {
  agent: AgentDetail;
  onPublish: (version: Numbered) => void;
}

export function VersionList({ agent, onPublish }: VersionListProps) {
  const [isOpen, setOpen] = useState(false);
  const canWrite = useCanWrite();
  const hasSuites = (useQuery(pinnedSuitesQuery(agent.id)).data ?? []).length > 0;
  const versions = agent.versions.filter((version) => !version.is_trial);
  const shown = isOpen ? versions : versions.slice(0, FIRST);
  const rest = versions.length - FIRST;
  return (
    <>
      <PlainTable aria-label="Versions">
        <thead>
          <tr>
            <th scope="col">Version</th>
            <th scope="col">Note</th>
            <th scope="col">Saved by</th>
            <th scope="col">When</th>
            {hasSuites && <th scope="col">Suites</th>}
            <th scope="col">File</th>
            {canWrite && (
              <>
                <th scope="col">Compare</th>
                <th scope="col">Go back</th>
              </>
            )}
          </tr>
        </thead>
        <tbody>
          {shown.map((version, index) => (
            <tr key={version.id}>
              <Told agent={agent} version={version} />
              {hasSuites && (
                <td>
                  <SuiteScores agent={agent} version={version} />
                </td>
              )}
              <td>
                <Anchor
                  href={yamlAddress(version.id)}
                  download
                  aria-label={`Export YAML of v${version.number}`}
                >
                  Export YAML
                </Anchor>
              </td>
              {canWrite && (
                <>
                  <td>
                    <CompareOn agent={agent} version={version} before={versions[index + 1]} />
                  </td>
                  <td>
                    {version.number !== agent.published_version && (
                      <Button variant="subtle" size="compact-sm" onClick={() => onPublish(version)}>
                        {wordsFor(agent, version)}…
                      </Button>
                    )}
                    {index > 0 && <EditFrom agentId={agent.id} version={version} />}
                  </td>
                </>
              )}
            </tr>
          ))}
        </tbody>
      </PlainTable>
      {rest > 0 && (
        <MoreButton isOpen={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? "Show fewer" : `Show ${countOf(rest, "more version")}`}
        </MoreButton>
      )}
    </>
  );
}

/** What the person who saved a version says of it. */
function Told({ agent, version }: { agent: AgentDetail; version: AgentVersion }) {
  const { number, saved_by: person, created_at: moment } = version;
  return (
    <>
      <th scope="row">
        <Anchor component={Link} to={`/agents/${agent.id}?v=${number}`}>
          Version {number}
        </Anchor>
        {number === agent.published_version && <span className="ts-good"> published</span>}
      </th>
      <td>
        <VersionNote version={version} />
      </td>
      <td>{visibleText(person)}</td>
      <td>
        <RelativeTime value={moment} />
      </td>
    </>
  );
}
