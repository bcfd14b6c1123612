/** The agent that the address names, with a placeholder until it has loaded. */
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useParams } from "react-router";

import { agentQuery } from "@/api/agents";
import { describeError, wayBack } from "@/api/client";
import type { AgentDetail } from "@/api/types";
import { ErrorState, RowsSkeleton, StaleNotice } from "@/ui/States";

export function LoadedAgent({ children }: { children: (agent: AgentDetail) => ReactNode }) {
  const { agentId = "" } = useParams();
  const agent = useQuery(agentQuery(agentId));
  const retry = () => void agent.refetch();
  if (agent.isPending) return <RowsSkeleton label="Loading the agent" />;
  if (agent.data === undefined) {
    return (
      <ErrorState
        title="The agent could not be loaded"
        message={describeError(agent.error)}
        back={wayBack(agent.error, "/agents", "agents")}
        onRetry={retry}
      />
    );
  }
  return (
    <>
      {agent.isError && <StaleNotice message={describeError(agent.error)} onRetry={retry} />}
      {children(agent.data)}
    </>
  );
}
