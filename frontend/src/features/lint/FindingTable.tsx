/** On how many tapes each detector and rule found something, and linting what is stale. */
import { Anchor, Button } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Link } from "react-router";

import { describeError } from "@/api/client";
import { lintCountsQuery, startLint } from "@/api/lint";
import { useCanWrite } from "@/api/session";
import type { LintCounts } from "@/api/types";
import classes from "@/features/lint/lint.module.css";
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
        {describeLinted(counts)}
        {stale_count > 0 && <StaleTapes count={stale_count} />}
      </p>
      {items.length === 0 ? (
        <p className={classes.note}>
          {linted_count === 0
            ? "Tapes are linted when a run or an import ends."
            : "Nothing was found on them."}
        </p>
      ) : (
        <PlainTable aria-label="Findings">
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
                  <span className={classes.severity}>
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

function StaleTapes({ count }: { count: number }) {
  const canWrite = useCanWrite();
  const lint = useMutation({
    mutationFn: startLint,
    onSuccess: () =>
      notifications.show({ title: "Linting", message: "See Runs for how far it is." }),
    onError: (error) =>
      notifications.show({
        title: "The tapes were not linted",
        message: describeError(error),
        color: "red",
      }),
  });
  return (
    <>
      {" "}
      {countOf(count, "tape")} not linted as {count === 1 ? "it and" : "they and"} the rules are
      now.{" "}
      {canWrite && (
        <Button
          size="compact-xs"
          variant="default"
          loading={lint.isPending}
          onClick={() => lint.mutate()}
        >
          Lint {count === 1 ? "it" : "them"} now
        </Button>
      )}
    </>
  );
}
