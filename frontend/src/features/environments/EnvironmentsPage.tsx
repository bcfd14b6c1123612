/** What answers the agents of the project: how it is, its tools, who uses it, what failed last. */
import { useQuery, type UseQueryResult } from "@tanstack/react-query";

import { describeError } from "@/api/client";
import { environmentsQuery, type Environment, type Environments } from "@/api/environments";
import { AddServer } from "@/features/environments/AddServer";
import { EnvironmentTable } from "@/features/environments/EnvironmentTable";
import classes from "@/features/environments/environments.module.css";
import { countOf } from "@/lib/format";
import { visibleText } from "@/lib/visibleText";
import { PageHeader } from "@/ui/PageHeader";
import { ErrorState, RowsSkeleton, StaleNotice } from "@/ui/States";

export function EnvironmentsPage() {
  const query = useQuery(environmentsQuery());
  return (
    <>
      <PageHeader title="Environments" guide="mcp#the-page-environments" />
      <Body query={query} />
    </>
  );
}

const KINDS: readonly { kind: Environment["kind"]; title: string }[] = [
  { kind: "mcp", title: "MCP servers" },
  { kind: "type", title: "Environments that agents name" },
  { kind: "tools", title: "Tools of nodes, and the person" },
];

function Body({ query }: { query: UseQueryResult<Environments> }) {
  if (query.isPending) return <RowsSkeleton label="Loading environments" rows={8} />;
  const retry = () => void query.refetch();
  if (query.data === undefined) {
    return (
      <ErrorState
        title="The environments could not be loaded"
        message={describeError(query.error)}
        onRetry={retry}
      />
    );
  }
  const { items, tape_count: tapeCount, problem, can_change_servers: canChange } = query.data;
  return (
    <div className="ts-page">
      {query.isError && <StaleNotice message={describeError(query.error)} onRetry={retry} />}
      {KINDS.map(({ kind, title }) => {
        const rows = items.filter((row) => row.kind === kind);
        return (
          <section key={kind} className="ts-section" aria-labelledby={`environments-${kind}`}>
            <h2 className={classes.heading} id={`environments-${kind}`}>
              {title}
            </h2>
            {kind === "mcp" && problem !== "" && (
              <p className="ts-bad" role="alert">
                {visibleText(problem)}
              </p>
            )}
            {rows.length > 0 && (
              <EnvironmentTable rows={rows} label={title} canChange={canChange} />
            )}
            {kind === "mcp" && problem === "" && (
              <AddServer isFirst={rows.length === 0} canAdd={canChange} />
            )}
          </section>
        );
      })}
      {tapeCount > 0 && (
        <p className={`ts-caption ${classes.foot}`}>
          Use is counted on the newest {countOf(tapeCount, "tape")}. A tape does not say who
          answered a call, so failures are told apart by the name of the tool and by what the
          tape&rsquo;s agent uses.
        </p>
      )}
    </div>
  );
}
