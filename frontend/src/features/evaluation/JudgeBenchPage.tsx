/** A judge, or any scorer, compared with people: how far to trust it, and its corrected score. */
import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useParams } from "react-router";

import { useCanWrite } from "@/api/session";
import { benchQuery } from "@/api/sweeps";
import type { BenchReport } from "@/api/types";
import { AgreementTable } from "@/features/evaluation/AgreementTable";
import { AskForLabels } from "@/features/evaluation/AskForLabels";
import { LoadedFrame } from "@/features/training/LoadedFrame";
import { formatExact, formatRate } from "@/lib/format";
import { visibleText } from "@/lib/visibleText";
import { PageHeader } from "@/ui/PageHeader";
import { PlainTable } from "@/ui/PlainTable";

const FIRST_POINTS = 5;

export function JudgeBenchPage() {
  const { jobId = "", scoringId = "" } = useParams();
  const [points, setPoints] = useState(FIRST_POINTS);
  const canWrite = useCanWrite();
  return (
    <LoadedFrame
      list={{ to: "/evaluation", what: "sweeps" }}
      what="Judge bench"
      query={useQuery(benchQuery(jobId, scoringId, points / 100))}
      header={({ decided_by: by }) => (
        <PageHeader
          title="Judge bench"
          note={
            by.judge === ""
              ? visibleText(by.words)
              : `${visibleText(by.judge)}: ${visibleText(by.words)}`
          }
          guide="evaluation"
        >
          <Button
            component={Link}
            variant="default"
            to={`/evaluation/${jobId}?by=${encodeURIComponent(scoringId)}`}
          >
            The sweep
          </Button>
        </PageHeader>
      )}
    >
      {(report) => (
        <div className="ts-page">
          <Corrected report={report} />
          {report.position_bias !== null && <PositionBias bias={report.position_bias} />}
          {report.bench !== null && <AgreementTable bench={report.bench} report={report} />}
          {canWrite && (
            <AskForLabels
              jobId={jobId}
              scoringId={scoringId}
              report={report}
              points={points}
              onPoints={setPoints}
            />
          )}
        </div>
      )}
    </LoadedFrame>
  );
}

function PositionBias({ bias }: { bias: NonNullable<BenchReport["position_bias"]> }) {
  const { first_both_times: first, second_both_times: second, prefers_first: share } = bias;
  return (
    <section className="ts-section ts-stack" aria-labelledby="position-bias">
      <h2 id="position-bias">Position bias</h2>
      <PlainTable fit="words" aria-labelledby="position-bias">
        <tbody className="ts-number">
          <tr>
            <th scope="row">Same verdict in both orders</th>
            <td>{formatRate(bias.consistent)}</td>
          </tr>
          <tr>
            <th scope="row">First preferred, among verdicts that changed with the order</th>
            <td>{share === null ? "–" : formatRate(share)}</td>
          </tr>
          <tr>
            <th scope="row">First both times, second both times</th>
            <td>
              {formatExact(first)}, {formatExact(second)} (p = {bias.p_value.toFixed(3)})
            </td>
          </tr>
          {bias.unread > 0 && (
            <tr>
              <th scope="row">Verdicts that could not be read</th>
              <td>{formatExact(bias.unread)}</td>
            </tr>
          )}
        </tbody>
      </PlainTable>
    </section>
  );
}

const RECOMMENDED = " (recommended)";

function Corrected({ report }: { report: BenchReport }) {
  const { corrected, refusal, labelled_count: labelled, judged_count: judged } = report;
  const isByPeople = corrected?.reported === "human_only";
  return (
    <section className="ts-section ts-stack" aria-labelledby="corrected">
      <h2 id="corrected">Pass rate by people</h2>
      <p className="ts-number">
        People have looked at {formatExact(labelled)} of {formatExact(judged)} attempts that have a
        verdict, under “{visibleText(report.labels)}”.
      </p>
      {corrected === null ? (
        <p role="status">No corrected score: {visibleText(refusal)}</p>
      ) : (
        <PlainTable fit="words" aria-labelledby="corrected">
          <thead>
            <tr>
              <th scope="col">Estimate</th>
              <th scope="col">Passes, with 95 % interval</th>
            </tr>
          </thead>
          <tbody className="ts-number">
            <tr>
              <th scope="row">Prediction-powered{!isByPeople && RECOMMENDED}</th>
              <td>{formatRate(corrected.prediction_powered)}</td>
            </tr>
            {corrected.rogan_gladen !== null && (
              <tr>
                <th scope="row">Rogan and Gladen</th>
                <td>{formatRate(corrected.rogan_gladen)}</td>
              </tr>
            )}
            <tr>
              <th scope="row">People alone{isByPeople && RECOMMENDED}</th>
              <td>{formatRate(corrected.human_only)}</td>
            </tr>
            <tr>
              <th scope="row">Judge alone (biased)</th>
              <td>{formatRate(corrected.judge_only)}</td>
            </tr>
          </tbody>
        </PlainTable>
      )}
      {isByPeople && (
        <p role="status">
          The judge does not make this more certain: report the score of the people alone.
        </p>
      )}
      <p className="ts-hint">
        The correction holds for attempts drawn at random, as the queue below draws them. Labels of
        attempts that were picked because they looked odd are no basis for it.
      </p>
    </section>
  );
}
