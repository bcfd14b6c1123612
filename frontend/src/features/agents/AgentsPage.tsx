import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import { IconRobot } from "@tabler/icons-react";
import { useMemo, useState } from "react";
import { Link, useNavigate } from "react-router";

import { ForWriters } from "@/api/ForWriters";
import { agentsQuery, agentUseQuery } from "@/api/agents";
import { describeError } from "@/api/client";
import type { AgentRow, AgentUse } from "@/api/types";
import classes from "@/features/agents/Agents.module.css";
import { Gallery } from "@/features/agents/Gallery";
import { NewAgent } from "@/features/agents/NewAgent";
import { countOf, formatExact, type CostSum } from "@/lib/format";
import { useKeys } from "@/lib/keys";
import { visibleText } from "@/lib/visibleText";
import { DataTable } from "@/ui/DataTable";
import type { Column } from "@/ui/tableColumns";
import { PageHeader } from "@/ui/PageHeader";
import { Count, RelativeTime, SummedCost } from "@/ui/Quantities";
import { EmptyState, ErrorState, RowsSkeleton, StaleNotice } from "@/ui/States";

export function AgentsPage() {
  const agents = useQuery(agentsQuery());
  const use = useQuery(agentUseQuery());
  return (
    <>
      <PageHeader
        title="Agents"
        guide="your-own-agent"
        note={agents.data && countOf(agents.data.length, "agent")}
      >
        {agents.data !== undefined && (
          <ForWriters>
            <NewAgent known={agents.data.map(({ name }) => name)} />
          </ForWriters>
        )}
      </PageHeader>
      <AgentList query={agents} use={use.data ?? []} />
      {agents.data !== undefined && <Gallery known={agents.data.map(({ name }) => name)} />}
    </>
  );
}

interface ListProps {
  query: UseQueryResult<AgentRow[]>;
  use: readonly AgentUse[];
}

function AgentList({ query, use }: ListProps) {
  const navigate = useNavigate();
  const [active, setActive] = useState<string | null>(null);
  const used = useMemo(() => new Map(use.map((one) => [one.agent_id, one])), [use]);
  const rows = useMemo(
    () => query.data?.map((agent) => ({ ...agent, use: used.get(agent.id) ?? null })),
    [query.data, used],
  );
  const bindings = useMemo(() => {
    const all = rows ?? [];
    const at = all.findIndex(({ id }) => id === active);
    const move = (to: number) => setActive(all[to]?.id ?? active);
    return [
      { keys: "j", label: "Next agent", run: () => move(Math.min(all.length - 1, at + 1)) },
      { keys: "k", label: "Previous agent", run: () => move(Math.max(0, at - 1)) },
      {
        keys: "Enter",
        label: "Open the agent",
        run: () => active !== null && void navigate(`/agents/${active}`),
      },
    ];
  }, [rows, active, navigate]);
  useKeys("Agents", bindings);

  if (query.isPending) return <RowsSkeleton label="Loading agents" rows={4} />;
  if (rows === undefined) {
    return (
      <ErrorState
        title="The agents could not be loaded"
        message={describeError(query.error)}
        onRetry={() => void query.refetch()}
      />
    );
  }
  if (rows.length === 0) {
    return (
      <EmptyState title="No agents yet" icon={<IconRobot size={24} stroke={1.5} />}>
        Make a new agent here, add one of those below, or write your own in Python and register it;
        the README explains how.
      </EmptyState>
    );
  }
  return (
    <>
      {query.isError && (
        <StaleNotice message={describeError(query.error)} onRetry={() => void query.refetch()} />
      )}
      <DataTable
        label="Agents"
        columns={COLUMNS}
        rows={rows}
        rowId={(agent) => agent.id}
        activeId={active}
        onRowClick={(agent) => void navigate(`/agents/${agent.id}`)}
      />
    </>
  );
}

type UsedAgent = AgentRow & { use: AgentUse | null };

const COLUMNS: Column<UsedAgent>[] = [
  {
    id: "name",
    header: "Agent",
    width: "min(240px, 40cqw)",
    cell: (agent) => (
      <Link className={classes.link} to={`/agents/${agent.id}`}>
        {visibleText(agent.name)}
      </Link>
    ),
  },
  {
    id: "description",
    header: "Description",
    hideLevel: 2,
    cell: (agent) => (
      <span className="ts-dimmed" title={agent.description}>
        {agent.description}
      </span>
    ),
  },
  {
    id: "version",
    header: "Latest",
    width: "72px",
    align: "end",
    cell: (agent) => (
      <span className="ts-number" title={countOf(agent.version_count, "version")}>
        v{agent.latest_version}
      </span>
    ),
  },
  {
    id: "published",
    header: "Published",
    width: "88px",
    align: "end",
    hideLevel: 1,
    cell: ({ published_version: number }) => (
      <span className="ts-number">{number === null ? "" : `v${number}`}</span>
    ),
  },
  {
    id: "tapes",
    header: "Tapes",
    width: "72px",
    align: "end",
    cell: ({ use }) => <Count value={use?.tape_count ?? 0} />,
  },
  {
    id: "passed",
    header: "Passed",
    width: "72px",
    align: "end",
    cell: ({ use }) => <PassRate use={use} />,
  },
  {
    id: "cost",
    header: "Cost of a tape",
    width: "112px",
    align: "end",
    hideLevel: 1,
    cell: ({ use }) => (use === null ? "–" : <SummedCost sum={averageOf(use)} />),
  },
  {
    id: "used",
    header: "Last used",
    width: "104px",
    align: "end",
    hideLevel: 2,
    cell: ({ use }) => <RelativeTime value={use?.last_used_at} />,
  },
];

/** The share of the tapes with an outcome that passed. */
function PassRate({ use }: { use: AgentUse | null }) {
  const judged = use === null ? 0 : use.passed_count + use.failed_count;
  if (use === null || judged === 0) return <span title="No tape has an outcome yet">–</span>;
  return (
    <span
      className="ts-number"
      title={`${formatExact(use.passed_count)} of ${countOf(judged, "tape")} with an outcome passed`}
    >
      {Math.round((100 * use.passed_count) / judged)} %
    </span>
  );
}

/** The sum of one tape, on average. */
function averageOf(use: AgentUse): CostSum {
  return { ...use, cost_micro_usd: Math.round(use.cost_micro_usd / use.tape_count) };
}
