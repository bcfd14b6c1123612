/** The scorer that decides a report, what it could not judge, and the choice among scorings. */
import { Select } from "@mantine/core";
import { Link } from "react-router";

import type { DecidedBy, SweepReport } from "@/api/types";
import classes from "@/features/evaluation/evaluation.module.css";
import { countOf } from "@/lib/format";
import { datasetAddress } from "@/lib/tapeQuery";
import { visibleText } from "@/lib/visibleText";
import { SummedCost } from "@/ui/Quantities";

const OUTCOME = "outcome";

const AS_NOW = "Expected answers are as they are now.";

interface DecidedByLineProps {
  report: SweepReport;
  onChoose: (by: string) => void;
}

export function DecidedByLine({ report, onChoose }: DecidedByLineProps) {
  const { decided_by: by, scorings } = report;
  return (
    <div className={classes.decided}>
      <p>
        Decided by: {scorings.length === 0 && wordsOf(by)}
        {by.expected === "now" && ` ${AS_NOW}`}
        {by.not_scored_count > 0 && (
          <span className="ts-warn">
            {" "}
            It could not judge {countOf(by.not_scored_count, "run")}, which count as missing.
          </span>
        )}
        {by.tokens > 0 && (
          <>
            {" "}
            The judge took{" "}
            <SummedCost
              sum={{
                cost_micro_usd: by.cost_micro_usd,
                unpriced_call_count: by.unpriced_call_count,
                llm_call_count: by.scored_count + by.not_scored_count,
              }}
            />
            .
          </>
        )}
      </p>
      {scorings.length > 0 && (
        <Select
          aria-label="Decided by"
          allowDeselect={false}
          w={420}
          data={[
            { value: OUTCOME, label: "The expected answer, or a person where it cannot decide" },
            ...scorings.flatMap((one) =>
              one.scoring_id === null ? [] : [{ value: one.scoring_id, label: wordsOf(one) }],
            ),
          ]}
          value={by.scoring_id ?? (by.scorer === null ? OUTCOME : null)}
          onChange={(chosen) => onChoose(chosen ?? OUTCOME)}
        />
      )}
      {by.scoring_id !== null && (
        <p>
          <Link to={`/evaluation/${report.sweep.job_id}/judge/${by.scoring_id}`}>
            Compare with people
          </Link>
        </p>
      )}
      <Standing report={report} />
    </div>
  );
}

function wordsOf({ words, judge, expected }: DecidedBy): string {
  const decider =
    judge === "" ? visibleText(words) : `${visibleText(words)} (${visibleText(judge)})`;
  return expected === "now" ? `${decider} ${AS_NOW}` : decider;
}

function Standing({ report: { sweep } }: { report: SweepReport }) {
  if (sweep.stands_on.length === 0) return null;
  return (
    <p>
      Based on{" "}
      {sweep.stands_on.map(({ dataset, version, dataset_id: id }, at) => (
        <span key={`${id} ${version}`}>
          {at > 0 && ", "}
          <Link to={datasetAddress(`${dataset}@${version}`)}>
            {visibleText(dataset)}, version {version}
          </Link>{" "}
          (<Link to={`/datasets/${id}`}>what changed since</Link>)
        </span>
      ))}
    </p>
  );
}
