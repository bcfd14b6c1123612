/** The published version of an agent, and publishing the selected one once its suites pass. */
import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { IconPlayerPlay, IconRocket } from "@tabler/icons-react";
import { Link } from "react-router";

import { describeError } from "@/api/client";
import { ForWriters } from "@/api/ForWriters";
import { readinessQuery, usePublish } from "@/api/publishing";
import { sessionQuery } from "@/api/session";
import { useRunSuite } from "@/api/suites";
import type { AgentDetail, AgentVersion, Readiness } from "@/api/types";
import classes from "@/features/agents/Agents.module.css";
import { visibleText } from "@/lib/visibleText";
import { ConfirmButton } from "@/ui/ConfirmButton";
import { RelativeTime } from "@/ui/Quantities";

/** Of further tests that have not passed, only the number is shown. */
const MOST_TESTS = 5;

interface PublishPanelProps {
  agent: AgentDetail;
  version: AgentVersion;
}

export function PublishPanel({ agent, version }: PublishPanelProps) {
  const isPublished = agent.published_version === version.number;
  return (
    <section className={`ts-stack ts-links ${classes.publish}`} aria-labelledby="published">
      <h2 className={classes.sectionTitle} id="published">
        Published
      </h2>
      <Published agent={agent} />
      {!isPublished && <Offer agent={agent} version={version} />}
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

function Offer({ agent, version }: PublishPanelProps) {
  const ready = useQuery(readinessQuery(agent.id, version.id));
  const session = useQuery(sessionQuery()).data;
  const publish = usePublish(agent.id);
  const send = (anyway: boolean) => publish.mutate({ version_id: version.id, anyway });
  if (ready.isPending) return null;
  if (ready.isError) return <p role="alert">{describeError(ready.error)}</p>;
  const isReady = ready.data.sentence === "";
  return (
    <>
      {ready.data.suites.map((suite) => (
        <Standing key={suite.dataset_id} suite={suite} version={version} />
      ))}
      {session?.can_write !== false && (
        <div className="ts-row">
          <Button
            variant="default"
            leftSection={<IconRocket size={14} />}
            disabled={!isReady}
            loading={publish.isPending}
            onClick={() => send(false)}
          >
            Publish v{version.number}
          </Button>
          {!isReady && session?.role === "owner" && (
            <ConfirmButton
              question={`Publish v${version.number} although its suites have not passed? The override is recorded.`}
              confirm="Publish anyway"
              onConfirm={() => send(true)}
            >
              Anyway
            </ConfirmButton>
          )}
        </div>
      )}
      {publish.isError && <p role="alert">{describeError(publish.error)}</p>}
    </>
  );
}

interface StandingProps {
  suite: Readiness["suites"][number];
  version: AgentVersion;
}

/** The results of a version on a pinned suite, and the tests that have not passed. */
function Standing({ suite, version }: StandingProps) {
  const { dataset_id: id, name, open_tests: unmet, test_count: count } = suite;
  const title = visibleText(name);
  return (
    <div>
      <p>
        {suite.is_deleted ? title : <Link to={`/evaluation/suites/${id}`}>{title}</Link>}:{" "}
        <span className={suite.sentence === "" ? "ts-good" : "ts-bad"}>
          {suite.is_deleted
            ? "it was deleted"
            : count === 0
              ? "it has no tests"
              : `${suite.passed_count} of ${count} passed`}
        </span>
      </p>
      <ul className={classes.openTests}>
        {unmet
          .slice(0, MOST_TESTS)
          .map(({ test_id: test, name, result, reason, tape_id: tape }) => (
            <li key={test} className={classes.openTest} title={visibleText(reason)}>
              <Link className="ts-truncate" to={`/t/${tape ?? test}`}>
                {visibleText(name)}
              </Link>{" "}
              <span className={`ts-dimmed ${classes.result}`}>{RESULTS[result]}</span>
            </li>
          ))}
      </ul>
      {unmet.length > MOST_TESTS && <p className="ts-hint">and {unmet.length - MOST_TESTS} more</p>}
      {suite.sentence !== "" && count > 0 && <RunTests suite={suite} version={version} />}
    </div>
  );
}

function RunTests({ suite, version }: StandingProps) {
  const run = useRunSuite(suite.dataset_id);
  if (version.needs_model) {
    return <p className="ts-hint">Open the suite and run all tests with a model.</p>;
  }
  return (
    <ForWriters>
      <Button
        variant="subtle"
        size="compact-sm"
        leftSection={<IconPlayerPlay size={12} />}
        loading={run.isPending}
        onClick={() => run.mutate({ agent_version_ids: [version.id] })}
      >
        Run its tests by v{version.number}
      </Button>
      {run.isSuccess && <p className="ts-hint">The tests are running.</p>}
      {run.isError && <p role="alert">{describeError(run.error)}</p>}
    </ForWriters>
  );
}

const RESULTS = {
  pass: "passed",
  fail: "failed",
  missing: "no result",
  going: "still running",
  "not run": "not run by this version",
} as const;
