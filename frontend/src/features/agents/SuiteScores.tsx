/** How versions of an agent scored on the suites that it pins; each score opens its sweep. */
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";

import { pinnedSuitesQuery } from "@/api/publishing";
import type { AgentDetail } from "@/api/types";
import type { Numbered } from "@/features/agents/publish/usePublishing";
import { formatRate } from "@/lib/format";
import { visibleText } from "@/lib/visibleText";

interface SuiteScoresProps {
  agent: AgentDetail;
  versions: readonly Numbered[];
}

export function SuiteScores({ agent, versions }: SuiteScoresProps) {
  const suites = useQuery(pinnedSuitesQuery(agent.id)).data ?? [];
  return suites.map((suite) => (
    <span key={suite.dataset_id} className="ts-row">
      {visibleText(suite.name)}
      {versions.map(({ id, number }) => {
        const found = suite.scores.find(({ version_id: scored }) => scored === id);
        const label = versions.length > 1 ? `v${number} ` : "";
        if (found === undefined || found.score === null) {
          return (
            <span key={id} className="ts-dimmed">
              {label}
              {found === undefined ? "not run" : "not judged"}
            </span>
          );
        }
        return (
          <Link key={id} to={`/evaluation/${found.sweep_id}`} className="ts-number">
            {label}
            {formatRate(found.score.estimate)}
          </Link>
        );
      })}
    </span>
  ));
}
