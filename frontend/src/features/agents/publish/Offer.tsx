/** What publishing a version would change, how it does on the pinned suites, and the button. */
import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { IconHistory, IconRocket } from "@tabler/icons-react";
import { Link } from "react-router";

import { agentDiffQuery } from "@/api/agents";
import { describeError } from "@/api/client";
import { readinessQuery } from "@/api/publishing";
import { sessionQuery } from "@/api/session";
import type { AgentRow, AgentVersion } from "@/api/types";
import { Standing } from "@/features/agents/publish/Standing";
import {
  isBack,
  type Numbered,
  publishedOf,
  usePublishing,
  wordsFor,
} from "@/features/agents/publish/usePublishing";
import { countOf } from "@/lib/format";
import { visibleText } from "@/lib/visibleText";
import { ConfirmButton } from "@/ui/ConfirmButton";

interface OfferProps {
  agent: AgentRow;
  version: AgentVersion;
  /** Enter publishes at once. */
  isFocused?: boolean;
  onPublished?: () => void;
}

/** The button may come after the dialog, which focuses only what is there when it opens. */
const focusOnce = (button: HTMLButtonElement | null) => button?.focus();

export function Offer({ agent, version, isFocused = false, onPublished }: OfferProps) {
  const ready = useQuery(readinessQuery(agent.id, version.id));
  const session = useQuery(sessionQuery()).data;
  const { send, isPending, error } = usePublishing(agent);
  const publish = (anyway: boolean) => {
    send(version, anyway).then(onPublished, () => undefined); // `error` is shown
  };
  if (ready.isPending) return null;
  if (ready.isError) return <p role="alert">{describeError(ready.error)}</p>;
  const isReady = ready.data.sentence === "";
  const words = wordsFor(agent, version);
  return (
    <>
      <Difference agent={agent} version={version} />
      {ready.data.suites.map((suite) => (
        <Standing key={suite.dataset_id} suite={suite} version={version} />
      ))}
      {session?.can_write !== false && (
        <div className="ts-row">
          <Button
            variant="default"
            leftSection={
              isBack(agent, version) ? <IconHistory size={14} /> : <IconRocket size={14} />
            }
            data-autofocus
            ref={isFocused ? focusOnce : undefined}
            disabled={!isReady}
            loading={isPending}
            onClick={() => publish(false)}
          >
            {words}
          </Button>
          {!isReady && session?.role === "owner" && (
            <ConfirmButton
              question={`Publish v${version.number} although its suites have not passed? The override is recorded.`}
              confirm="Publish anyway"
              onConfirm={() => publish(true)}
            >
              Anyway
            </ConfirmButton>
          )}
        </div>
      )}
      {!isReady && session?.role !== "owner" && (
        <p className="ts-hint">
          Run the tests or mend what fails in a new version; an owner may publish it anyway.
        </p>
      )}
      {error !== null && <p role="alert">{describeError(error)}</p>}
    </>
  );
}

const NAMED = 3;

/** In what a version differs from the published one, in a sentence. */
function Difference({ agent, version }: { agent: AgentRow; version: Numbered }) {
  const published = publishedOf(agent);
  const diff = useQuery({
    ...agentDiffQuery(published?.id ?? "", version.id),
    enabled: published !== undefined,
  });
  if (published === undefined || diff.data === undefined) return null;
  const { fields } = diff.data;
  const named = fields.slice(0, NAMED).map(({ path }) => visibleText(path));
  const rest = fields.length - named.length;
  const more = rest > 0 ? [countOf(rest, "more place")] : [];
  return (
    <p>
      v{version.number} differs from v{published.number} in{" "}
      <Link to={`/agents/${agent.id}/diff?a=${published.number}&b=${version.number}`}>
        {fields.length === 0 ? "nothing" : [...named, ...more].join(", ")}
      </Link>
      .
    </p>
  );
}
