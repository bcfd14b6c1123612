/** On how many tapes each detector and rule found something. */
import { Anchor } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";

import { describeError } from "@/api/client";
import { lintCountsQuery } from "@/api/lint";
import type { LintCounts } from "@/api/types";
import classes from "@/features/lint/lint.module.css";
import { StaleTapes } from "@/features/lint/StaleTapes";
import { countOf, formatExact } from "@/lib/format";
import { visibleText } from "@/lib/visibleText";
import { PlainTable } from "@/ui/PlainTable";
import { SEVERITY_WORDS, SeverityIcon } from "@/ui/SeverityIcon";
import { ErrorState, RowsSkeleton, StaleNotice } from "@/ui/States";

export function FindingTable() {
  const counts = useQuery(lintCountsQuery({}));
  const retry = () => void counts.refetch();
  return (
    <section className={classes.section} aria-labelledby="lint-findings">
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

/** A count is never cut silently: it says of which tapes it speaks. */
function describeLinted({ linted_count, tape_count, is_cut }: LintCounts): string {
  const among = is_cut ? `the newest ${countOf(tape_count, "tape")}` : countOf(tape_count, "tape");
  return `${formatExact(linted_count)} of ${among} linted.`;
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
