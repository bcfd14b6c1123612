/** The suites that an agent pins, with its versions' scores on each; a row opens its sweep. */
import { Button, Select } from "@mantine/core";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { IconPin } from "@tabler/icons-react";
import { useState } from "react";
import { Link } from "react-router";

import { describeError } from "@/api/client";
import { ForWriters } from "@/api/ForWriters";
import { pinnedSuitesQuery, usePin } from "@/api/publishing";
import { sessionQuery } from "@/api/session";
import { suitesQuery } from "@/api/suites";
import type { AgentDetail, PinnedSuite } from "@/api/types";
import classes from "@/features/agents/Agents.module.css";
import { LearningCurve } from "@/features/agents/LearningCurve";
import { formatExact, formatRate } from "@/lib/format";
import { optionsOf } from "@/lib/options";
import { visibleText } from "@/lib/visibleText";
import { ConfirmButton } from "@/ui/ConfirmButton";
import { PlainTable } from "@/ui/PlainTable";
import { RateBar } from "@/ui/RateBar";
import { RowsSkeleton } from "@/ui/States";

export function VersionScores({ agent }: { agent: AgentDetail }) {
  const pinned = useQuery(pinnedSuitesQuery(agent.id));
  const suites = pinned.data ?? [];
  return (
    <section aria-labelledby="scores">
      <h2 className={classes.sectionTitle} id="scores">
        Score over versions
      </h2>
      {pinned.isPending && <RowsSkeleton label="Loading the scores" rows={2} />}
      {pinned.isError && <p role="alert">{describeError(pinned.error)}</p>}
      {pinned.isSuccess && suites.length === 0 && (
        <p className={classes.lead}>
          No suite is pinned. Pin one, and each version that ran its tests is a point here; a
          version is then published only when the suite passes. A failing tape becomes a test with{" "}
          <b>X</b>.
        </p>
      )}
      {suites.map((suite) => (
        <Pinned key={suite.dataset_id} agent={agent} suite={suite} />
      ))}
      <ForWriters>
        <PinASuite agent={agent} pinned={suites} />
      </ForWriters>
    </section>
  );
}

function Pinned({ agent, suite }: { agent: AgentDetail; suite: PinnedSuite }) {
  const name = visibleText(suite.name);
  return (
    <article className={classes.pinned} aria-label={name}>
      <div className={`ts-row ${classes.pinnedHead}`}>
        <h3>
          {suite.is_deleted ? (
            name
          ) : (
            <Link className={classes.link} to={`/evaluation/suites/${suite.dataset_id}`}>
              {name}
            </Link>
          )}
        </h3>
        <Unpin agent={agent} suite={suite} />
      </div>
      {suite.is_deleted && (
        <p className="ts-bad">
          It was deleted, so no version passes it. Bring it back or unpin it.
        </p>
      )}
      {suite.scores.length === 0 && !suite.is_deleted && (
        <p className="ts-hint">
          No version has run it yet. Open it and run all tests; each version that ran is a point
          here.
        </p>
      )}
      {suite.scores.length > 0 && (
        <div className={classes.scores}>
          <ScoreTable suite={suite} />
          <LearningCurve scores={suite.scores} />
        </div>
      )}
    </article>
  );
}

function ScoreTable({ suite }: { suite: PinnedSuite }) {
  return (
    <PlainTable aria-label={`Versions on ${visibleText(suite.name)}`} fit="words">
      <thead>
        <tr>
          <th scope="col">Version</th>
          <th scope="col" title="Share of tasks that pass, with its 95 % interval over tasks">
            Passed
          </th>
          <th scope="col" data-align="end">
            Tasks
          </th>
          <th scope="col" data-align="end" title="Runs without a verdict">
            Missing
          </th>
        </tr>
      </thead>
      <tbody>
        {suite.scores.toReversed().map(({ number, sweep_id: sweep, score, ...row }) => (
          <tr key={number}>
            <th scope="row">
              <Link to={`/evaluation/${sweep}`} title="Opens its newest sweep">
                v{number}
              </Link>
            </th>
            <td>
              {score === null ? (
                <span className="ts-dimmed">nothing judged</span>
              ) : (
                <span className="ts-row ts-number">
                  <RateBar rate={score.estimate} /> {formatRate(score.estimate)}
                </span>
              )}
            </td>
            <td data-align="end" className="ts-number">
              {score === null ? "" : formatExact(score.tasks)}
            </td>
            <td data-align="end" className="ts-number">
              {row.missing_count === 0 ? "" : formatExact(row.missing_count)}
            </td>
          </tr>
        ))}
      </tbody>
    </PlainTable>
  );
}

function Unpin({ agent, suite }: { agent: AgentDetail; suite: PinnedSuite }) {
  const isOwner = useQuery(sessionQuery()).data?.role === "owner";
  const change = usePin(agent.id);
  if (!isOwner) return null;
  return (
    <>
      <ConfirmButton
        size="compact-xs"
        question={`Unpin ${visibleText(suite.name)}? Versions are then published without it.`}
        confirm="Unpin"
        loading={change.isPending}
        onConfirm={() => change.mutate({ suiteId: suite.dataset_id, isPinned: false })}
      >
        Unpin
      </ConfirmButton>
      {change.isError && <span role="alert">{describeError(change.error)}</span>}
    </>
  );
}

interface PinASuiteProps {
  agent: AgentDetail;
  pinned: readonly PinnedSuite[];
}

function PinASuite({ agent, pinned }: PinASuiteProps) {
  const suites = useInfiniteQuery(suitesQuery());
  const change = usePin(agent.id);
  const [chosen, setChosen] = useState<string | null>(null);
  const known = new Set(pinned.map(({ dataset_id: id }) => id));
  const others = (suites.data?.pages ?? [])
    .flatMap(({ items }) => items)
    .filter(({ id }) => !known.has(id));
  if (others.length === 0) return null;
  return (
    <form
      className="ts-row"
      aria-label="Pin a suite"
      onSubmit={(event) => {
        event.preventDefault();
        if (chosen === null) return;
        change.mutate({ suiteId: chosen, isPinned: true }, { onSuccess: () => setChosen(null) });
      }}
    >
      <Select
        aria-label="Suite"
        placeholder="A suite of regression tests"
        searchable
        data={optionsOf(others)}
        value={chosen}
        onChange={setChosen}
      />
      <Button
        type="submit"
        variant="default"
        leftSection={<IconPin size={14} />}
        disabled={chosen === null}
        loading={change.isPending}
      >
        Pin
      </Button>
      {change.isError && <span role="alert">{describeError(change.error)}</span>}
    </form>
  );
}
