/** The published version of an agent, who published which when, and publishing the selected one. */
import type { AgentDetail, AgentVersion } from "@/api/types";
import classes from "@/features/agents/Agents.module.css";
import { Offer } from "@/features/agents/publish/Offer";
import { visibleText } from "@/lib/visibleText";
import { ModelName } from "@/features/agents/publish/ModelName";
import { RelativeTime } from "@/ui/Quantities";

interface PublishPanelProps {
  agent: AgentDetail;
  version: AgentVersion;
}

export function PublishPanel({ agent, version }: PublishPanelProps) {
  const isPublished = agent.published_version === version.number;
  return (
    <section className={`ts-stack ${classes.publish}`} aria-labelledby="published">
      <h2 className={classes.sectionTitle} id="published">
        Published
      </h2>
      <Published agent={agent} />
      {!isPublished && <Offer agent={agent} version={version} />}
      <ModelName agent={agent} version={version} />
      <Earlier publications={agent.publications.slice(1)} />
    </section>
  );
}

function Published({ agent: { publications } }: { agent: AgentDetail }) {
  const [newest] = publications;
  if (newest === undefined) {
    return <p className="ts-hint">None yet: new runs are offered the newest version.</p>;
  }
  return (
    <>
      <p>
        <b>v{newest.number}</b> is the default for new runs; published by{" "}
        {visibleText(newest.published_by)} <RelativeTime value={newest.created_at} />.
      </p>
      {newest.despite !== "" && (
        <p className="ts-hint ts-warn">Published anyway: {visibleText(newest.despite)}</p>
      )}
    </>
  );
}

function Earlier({ publications }: Pick<AgentDetail, "publications">) {
  if (publications.length === 0) return null;
  return (
    <details>
      <summary className="ts-hint">Published before</summary>
      <ul aria-label="Published before">
        {publications.map(({ id, number, published_by: person, created_at: moment, despite }) => (
          <li key={id} className="ts-hint" title={visibleText(despite)}>
            v{number} by {visibleText(person)} <RelativeTime value={moment} />
            {despite !== "" && <span className="ts-warn"> anyway</span>}
          </li>
        ))}
      </ul>
    </details>
  );
}
