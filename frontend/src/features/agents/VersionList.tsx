/** The versions of an agent: what each was made for, by whom, and its file. */
import { Anchor } from "@mantine/core";
import { useState } from "react";
import { Link } from "react-router";

import { yamlAddress } from "@/api/agentDrafts";
import { useCanWrite } from "@/api/session";
import type { AgentDetail } from "@/api/types";
import { CompareOn } from "@/features/agents/CompareOn";
import { countOf } from "@/lib/format";
import { visibleText } from "@/lib/visibleText";
import { MoreButton } from "@/ui/MoreButton";
import { PlainTable } from "@/ui/PlainTable";
import { RelativeTime } from "@/ui/Quantities";

const FIRST = 10;

export function VersionList({ agent }: { agent: AgentDetail }) {
  const [isOpen, setOpen] = useState(false);
  const canWrite = useCanWrite();
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
            <th scope="col">File</th>
            {canWrite && <th scope="col">Compare</th>}
          </tr>
        </thead>
        <tbody>
          {shown.map(({ id, number, note, saved_by: person, created_at: moment }, index) => (
            <tr key={id}>
              <th scope="row">
                <Link to={`/agents/${agent.id}?v=${number}`}>Version {number}</Link>
                {number === agent.published_version && <span className="ts-good"> published</span>}
              </th>
              <td className="ts-words">{visibleText(note)}</td>
              <td>{visibleText(person)}</td>
              <td>
                <RelativeTime value={moment} />
              </td>
              <td>
                <Anchor href={yamlAddress(id)} download aria-label={`Export YAML of v${number}`}>
                  Export YAML
                </Anchor>
              </td>
              {canWrite && (
                <td>
                  <CompareOn agent={agent} number={number} before={versions[index + 1]} id={id} />
                </td>
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
