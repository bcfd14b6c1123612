/** The number of tapes on which each detector and rule found something. */
import { Anchor, Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";

import { describeError } from "@/api/client";
import { lintCountsQuery } from "@/api/lint";
import { useCanWrite } from "@/api/session";
import type { LintCounts } from "@/api/types";
import classes from "@/features/lint/lint.module.css";
import { StaleTapes } from "@/features/lint/StaleTapes";
import { useDetectorSwitch } from "@/features/lint/useDetectorSwitch";
import { countOf, formatExact } from "@/lib/format";
import { visibleText } from "@/lib/visibleText";
import { PlainTable } from "@/ui/PlainTable";
import { SEVERITY_WORDS, SeverityIcon } from "@/ui/SeverityIcon";
import { ErrorState, RowsSkeleton, StaleNotice } from "@/ui/States";

export function FindingTable() {
  const counts = useQuery(lintCountsQuery({}));
  const retry = () => void counts.refetch();
  return (
    <section className="ts-section" aria-labelledby="lint-findings">
      <h2 className={classes.heading} id="lint-findings">
        Findings
      </h2>
      {counts.data !== undefined && counts.isError && (
        <StaleNotice message={describeError(counts.error)} onRetry={retry} />
      )}
      {counts.data !== undefined ? (
        <Counts counts={counts.data} />
      ) : counts.isError ? (
        <ErrorState
          title="The findings could not be counted"
          message={describeError(counts.error)}
          onRetry={retry}
        />
      ) : (
        <RowsSkeleton label="Counting findings" rows={4} />
      )}
    </section>
  );
}

/** States which tapes were counted: a count is never truncated silently. */
function describeLinted(counts: LintCounts): string {
  const { finding_count, found_count, linted_count, tape_count, is_cut } = counts;
  const among = is_cut ? `the newest ${countOf(tape_count, "tape")}` : countOf(tape_count, "tape");
  const linted = `${formatExact(linted_count)} of ${among} linted.`;
  if (finding_count === 0) return linted;
  return `${countOf(finding_count, "finding")} on ${countOf(found_count, "tape")}; ${linted}`;
}

function Counts({ counts }: { counts: LintCounts }) {
  const { items, linted_count, stale_count } = counts;
  return (
    <>
      <p className={classes.note}>
        {describeLinted(counts)} {stale_count > 0 && <StaleTapes count={stale_count} />}
      </p>
      {items.length === 0 ? (
        <p className={classes.note}>
          {linted_count === 0
            ? "Tapes are linted when a run or an import ends."
            : stale_count > 0
              ? "No findings so far."
              : "No findings."}
        </p>
      ) : (
        <PlainTable aria-label="Findings" fit="words">
          <thead>
            <tr>
              <th scope="col">Severity</th>
              <th scope="col">Detector or rule</th>
              <th scope="col" data-align="end">
                Tapes
              </th>
            </tr>
          </thead>
          <tbody>
            {items.map(({ detector, title, severity, tape_count: count }) => (
              <tr key={`${detector} ${severity}`}>
                <td>
                  <span className={`ts-inline ${classes.severity}`}>
                    <SeverityIcon severity={severity} /> {SEVERITY_WORDS[severity]}
                  </span>
                </td>
                <td>
                  <Anchor
                    component={Link}
                    size="sm"
                    to={`/tapes?lint=${encodeURIComponent(detector)}`}
                  >
                    {visibleText(title)}
                  </Anchor>
                  {isOnNearlyAll(detector, count, linted_count) && (
                    <TurnOff name={detector} title={title} />
                  )}
                </td>
                <td data-align="end">{count}</td>
              </tr>
            ))}
          </tbody>
        </PlainTable>
      )}
    </>
  );
}

const MANY_TAPES = 10;
const NEARLY_ALL = 0.8;

/** A finding on nearly every tape does not distinguish any of them. */
function isOnNearlyAll(detector: string, count: number, linted: number): boolean {
  const isRule = detector.startsWith("rule:");
  return !isRule && linted >= MANY_TAPES && count >= NEARLY_ALL * linted;
}

function TurnOff({ name, title }: { name: string; title: string }) {
  const canWrite = useCanWrite();
  const { mutate, isPending } = useDetectorSwitch();
  return (
    <span className={`ts-inline ts-hint ${classes.proposal}`}>
      on nearly every tape
      {canWrite && (
        <Button
          size="compact-xs"
          variant="default"
          loading={isPending}
          aria-label={`Turn off ${title} in this project`}
          onClick={() => mutate({ name, isEnabled: false })}
        >
          Turn off here
        </Button>
      )}
    </span>
  );
}
