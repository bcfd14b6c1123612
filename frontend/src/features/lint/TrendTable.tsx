/** How often each finding occurs on the tapes of an agent, version by version. */
import { Select } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";

import { agentsQuery } from "@/api/agents";
import { describeError } from "@/api/client";
import { lintTrendQuery } from "@/api/lint";
import type { VersionLint } from "@/api/types";
import classes from "@/features/lint/lint.module.css";
import { optionsOf } from "@/lib/options";
import { visibleText } from "@/lib/visibleText";
import { PlainTable } from "@/ui/PlainTable";
import { ErrorState, RowsSkeleton } from "@/ui/States";

export function TrendTable() {
  const agents = useQuery(agentsQuery());
  const [chosen, setChosen] = useState<string | null>(null);
  const agentId = chosen ?? agents.data?.[0]?.id ?? null;
  if (agentId === null) return null;
  return (
    <section className="ts-section" aria-labelledby="lint-trend">
      <h2 className={classes.heading} id="lint-trend">
        By agent version
      </h2>
      <Select
        aria-label="Agent"
        w={240}
        mb={8}
        allowDeselect={false}
        data={optionsOf(agents.data ?? [])}
        value={agentId}
        onChange={setChosen}
      />
      <Trend agentId={agentId} />
    </section>
  );
}

function Trend({ agentId }: { agentId: string }) {
  const trend = useQuery(lintTrendQuery(agentId));
  if (trend.isPending) return <RowsSkeleton label="Loading the trend" rows={3} />;
  if (trend.data === undefined) {
    return (
      <ErrorState
        title="The trend could not be loaded"
        message={describeError(trend.error)}
        onRetry={() => void trend.refetch()}
      />
    );
  }
  if (trend.data.length === 0) {
    return <p className={classes.note}>No tape of this agent has been linted yet.</p>;
  }
  return <Versions versions={trend.data} />;
}

function Versions({ versions }: { versions: readonly VersionLint[] }) {
  const titles = new Map(
    versions.flatMap(({ items }) => items.map(({ detector, title }) => [detector, title] as const)),
  );
  return (
    <PlainTable aria-label="Share of tapes with each finding by version" fit="words">
      <thead>
        <tr>
          <th scope="col">Version</th>
          <th scope="col" data-align="end">
            Tapes
          </th>
          {[...titles].map(([detector, title]) => (
            <th key={detector} scope="col" data-align="end">
              {visibleText(title)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {versions.map(({ agent_version_id, version, tape_count, items }) => (
          <tr key={agent_version_id}>
            <td>v{version}</td>
            <td data-align="end">{tape_count}</td>
            {[...titles.keys()].map((detector) => (
              <td key={detector} data-align="end">
                {share(items.find((item) => item.detector === detector)?.tape_count, tape_count)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </PlainTable>
  );
}

export function share(count: number | undefined, of: number): string {
  if (count === undefined || of === 0) return "–";
  return `${Math.round((100 * count) / of)} % (${count})`;
}
