/** An import of examples in progress, then its result. */
import { Button } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { Link } from "react-router";

import { datasetKeys } from "@/api/datasets";
import { importedQuery } from "@/api/exampleFiles";
import { isFinished } from "@/api/jobs";
import { tapeKeys } from "@/api/tapes";
import type { ImportedExamples } from "@/api/types";
import { useFollowedJob } from "@/api/useFollowedJob";
import { RowReasons } from "@/features/datasets/RowReasons";
import { countOf, formatExact } from "@/lib/format";
import { datasetAddress, quoteValue } from "@/lib/tapeQuery";
import { FollowedJob } from "@/ui/FollowedJob";

interface ExamplesJobProps {
  jobId: string;
  onAgain: () => void;
}

export function ExamplesJob({ jobId, onAgain }: ExamplesJobProps) {
  const followed = useFollowedJob(jobId);
  const state = followed.job?.state;
  const result = useQuery(importedQuery(jobId, state === "succeeded"));
  const queries = useQueryClient();
  const isOver = state !== undefined && isFinished(state);
  useEffect(() => {
    if (!isOver) return;
    void queries.invalidateQueries({ queryKey: datasetKeys.all });
    void queries.invalidateQueries({ queryKey: tapeKeys.lists });
  }, [isOver, queries]);
  return (
    <section className="ts-section" aria-label="Import">
      <FollowedJob
        followed={followed}
        what="import"
        note="You can leave this page; the import continues. The dataset is filled when it ends."
        cancelled="The import was cancelled; no examples were kept."
        result={() => (result.data === undefined ? null : <Imported result={result.data} />)}
        after={
          <Button variant="default" onClick={onAgain} style={{ alignSelf: "flex-start" }}>
            Import another file
          </Button>
        }
      />
    </section>
  );
}

function Imported({ result }: { result: ImportedExamples }) {
  const { made, already_there: known, rows, dataset, dataset_id: id } = result;
  return (
    <>
      <p role="status" className="ts-number">
        <strong>{countOf(made, "example")} made</strong>
        {known > 0 && `, ${formatExact(known)} already in the project`}, of {countOf(rows, "row")}.
      </p>
      <div className="ts-row">
        <Link to={datasetAddress(dataset)}>Show them</Link>
        {id !== null && <Link to={`/datasets/${id}`}>Versions and scorers</Link>}
        <Link
          to={`/evaluation?${new URLSearchParams({ new: "sweep", q: `dataset:${quoteValue(dataset)}` }).toString()}`}
        >
          Evaluate on them
        </Link>
      </div>
      <RowReasons title="Left out" reasons={result.left_out} />
      <RowReasons title="Created, but not everything could be saved" reasons={result.lost} />
    </>
  );
}
