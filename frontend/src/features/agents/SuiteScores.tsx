/** How a version of an agent scored on the suites that it pins; each score opens its sweep. */
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";

import { pinnedSuitesQuery } from "@/api/publishing";
import type { AgentDetail } from "@/api/types";
import type { Numbered } from "@/features/agents/publish/usePublishing";
import { formatRate } from "@/lib/format";
import { visibleText } from "@/lib/visibleText";

interface SuiteScoresProps {
  agent: AgentDetail;
  version: Numbered;
}

export function SuiteScores({ agent, version }: SuiteScoresProps) {
  const suites = useQuery(pinnedSuitesQuery(agent.id)).data ?? [];
  return suites.map((suite) => {
    const found = suite.scores.find(({ version_id: scored }) => scored === version.id);
    return (
      <span key={suite.dataset_id} className="ts-row">
        {visibleText(suite.name)}
        {found === undefined || found.score === null ? (
          <span className="ts-dimmed">{found === undefined ? "not run" : "not judged"}</span>
        ) : (
          <Link to={`/evaluation/${found.sweep_id}`} className="ts-number">
            {formatRate(found.score.estimate)}
          </Link>
        )}
      </span>
    );
  });
}
