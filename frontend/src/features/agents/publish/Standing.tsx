/** The results of a version on a pinned suite, and running its tests. */
import { Button } from "@mantine/core";
import { IconPlayerPlay } from "@tabler/icons-react";
import { Link } from "react-router";

import { describeError } from "@/api/client";
import { ForWriters } from "@/api/ForWriters";
import { useRunSuite } from "@/api/suites";
import type { AgentVersion, Readiness } from "@/api/types";
import classes from "@/features/agents/Agents.module.css";
import { visibleText } from "@/lib/visibleText";

/** Of further tests that have not passed, only the number is shown. */
const MOST_TESTS = 5;

interface StandingProps {
  suite: Readiness["suites"][number];
  version: AgentVersion;
}

/** The results of a version on a pinned suite, and the tests that have not passed. */
export function Standing({ suite, version }: StandingProps) {
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
