/** The tests of a suite, each with its pass criterion; every mark opens the tape of its run. */
import { ActionIcon } from "@mantine/core";
import { IconPencil } from "@tabler/icons-react";
import { useState } from "react";
import { Link } from "react-router";

import type { SuiteReport, SuiteRun, SuiteTest } from "@/api/types";
import { CheckDialog } from "@/features/evaluation/CheckDialog";
import classes from "@/features/evaluation/evaluation.module.css";
import { countOf } from "@/lib/format";
import { visibleText } from "@/lib/visibleText";
import { OutcomeMark } from "@/ui/OutcomeMark";
import { PlainTable } from "@/ui/PlainTable";
import { RelativeTime } from "@/ui/Quantities";

type Result = SuiteTest["results"][number];

const WORDS: Record<Result["result"], string> = {
  pass: "Passed",
  fail: "Failed",
  missing: "Missing",
  going: "Running",
};

interface TestTableProps {
  report: SuiteReport;
  canWrite: boolean;
}

export function TestTable({ report: { tests, runs }, canWrite }: TestTableProps) {
  const [edited, setEdited] = useState<SuiteTest | null>(null);
  return (
    <section className="ts-section" aria-labelledby="tests">
      <h2 className={classes.heading} id="tests">
        {countOf(tests.length, "test")}, and the newest runs of them
      </h2>
      <PlainTable aria-labelledby="tests">
        <thead>
          <tr>
            <th scope="col">Test</th>
            <th scope="col">Pass criterion</th>
            {runs.map((run, at) => (
              <th
                key={run.id}
                scope="col"
                data-hide={at > 0 ? "phone" : undefined}
                className={classes.run}
                title={`${visibleText(run.name)}, by ${visibleText(run.agent)}`}
              >
                <Link to={`/tapes?batch=${run.id}`}>
                  <RelativeTime value={run.created_at} />
                </Link>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {tests.map((test) => (
            <TestRow
              key={test.tape_id}
              test={test}
              runs={runs}
              onEdit={canWrite && test.check !== null ? () => setEdited(test) : null}
            />
          ))}
        </tbody>
      </PlainTable>
      <CheckDialog test={edited} onClose={() => setEdited(null)} />
    </section>
  );
}

interface TestRowProps {
  test: SuiteTest;
  runs: readonly SuiteRun[];
  onEdit: (() => void) | null;
}

function TestRow({ test, runs, onEdit }: TestRowProps) {
  const { tape_id: id, name, words, kept_count: kept, made_of: origin } = test;
  const newest = test.results[0];
  return (
    <tr>
      <th scope="row" className={classes.variant}>
        <Link to={`/t/${id}`}>{visibleText(name)}</Link>
        <span className={`ts-dimmed ${classes.kept}`}>
          {kept === null ? "from its start" : `keeps ${countOf(kept, "step")}`}
          {kept !== null && origin !== null && (
            <>
              {" of "}
              <Link to={`/t/${origin}`}>its source tape</Link>
            </>
          )}
        </span>
      </th>
      <td className={classes.words}>
        {visibleText(words)}
        {onEdit !== null && (
          <ActionIcon
            size={22}
            aria-label={`Edit pass criterion ${visibleText(name)}`}
            title="Edit pass criterion"
            onClick={onEdit}
          >
            <IconPencil size={14} />
          </ActionIcon>
        )}
        {newest !== undefined && newest.result !== "pass" && newest.reason !== "" && (
          <span className={`ts-dimmed ${classes.kept}`}>Newest: {visibleText(newest.reason)}</span>
        )}
      </td>
      {runs.map((run, at) => (
        <td key={run.id} data-hide={at > 0 ? "phone" : undefined}>
          <Mark result={test.results.find(({ run_id: runId }) => runId === run.id)} />
        </td>
      ))}
    </tr>
  );
}

function Mark({ result: found }: { result: Result | undefined }) {
  if (found === undefined) return <span className="ts-dimmed">–</span>;
  const { tape_id: id, result, reason } = found;
  const outcome = result === "pass" || result === "fail" ? result : "";
  return (
    <Link
      to={`/t/${id}`}
      title={reason === "" ? WORDS[result] : `${WORDS[result]}: ${visibleText(reason)}`}
    >
      <OutcomeMark outcome={outcome} word={WORDS[result]} />
    </Link>
  );
}
