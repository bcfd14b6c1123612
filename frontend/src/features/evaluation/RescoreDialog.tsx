/** Scores a sweep with another scorer: nothing is run again. */
import { Button, Checkbox, Modal, Stack } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";

import { useChecked } from "@/api/checking";
import { describeError } from "@/api/client";
import { scorersQuery } from "@/api/datasetVersions";
import { modelsQuery } from "@/api/models";
import { scoringCheckQuery, sweepKeys, useScoreSweep } from "@/api/sweeps";
import { useFollowedJob } from "@/api/useFollowedJob";
import type { DatasetScorer, ScoringRequest, Sweep } from "@/api/types";
import {
  findScorerProblem,
  NO_SCORER,
  readScoring,
  type ScorerDraft,
} from "@/features/evaluation/scorerDraft";
import { ScorerFields } from "@/features/evaluation/ScorerFields";
import { visibleText } from "@/lib/visibleText";
import { FollowedJob } from "@/ui/FollowedJob";

interface RescoreDialogProps {
  sweep: Sweep;
  isOpen: boolean;
  onClose: () => void;
  /** Called if the dialog is still open when the scoring ends; not whole: it left out some runs. */
  onScored: (scoringId: string, isWhole: boolean) => void;
}

export function RescoreDialog({ sweep, isOpen, onClose, onScored }: RescoreDialogProps) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="Rescore" size={520}>
      <Scored sweep={sweep} onScored={onScored} />
    </Modal>
  );
}

function Scored({ sweep, onScored }: Pick<RescoreDialogProps, "sweep" | "onScored">) {
  const [jobId, setJobId] = useState<string | null>(null);
  return jobId === null ? (
    <ScoreForm sweep={sweep} onStarted={setJobId} />
  ) : (
    <Scoring jobId={jobId} onScored={onScored} />
  );
}

const NONE: readonly DatasetScorer[] = [];

function ScoreForm({ sweep, onStarted }: { sweep: Sweep; onStarted: (jobId: string) => void }) {
  const [draft, setDraft] = useState<ScorerDraft>({ ...NO_SCORER, kind: "answer" });
  const [takesNow, setTakesNow] = useState(false);
  const models = useQuery(modelsQuery());
  const kept = useQuery(scorersQuery(sweep.stands_on[0]?.dataset_id ?? null)).data ?? NONE;
  const start = useScoreSweep(sweep.job_id);
  const problem = findScorerProblem(draft);
  const request = useMemo<ScoringRequest | null>(() => {
    const scoring = problem === "" ? readScoring(draft, kept) : null;
    return scoring && { ...scoring, expected: takesNow ? "now" : "frozen" };
  }, [problem, draft, kept, takesNow]);
  const { check, mayStart } = useChecked(request, (body) => scoringCheckQuery(sweep.job_id, body));
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (request === null || !mayStart) return;
        start.mutate(request, { onSuccess: ({ id }) => onStarted(id) });
      }}
    >
      <Stack gap={12}>
        <p className="ts-hint">
          Runs that have ended are scored; none is run again. The page then shows the new score and
          what it changed. Earlier scores stay, and you can choose among them on the page.
        </p>
        <ScorerFields draft={draft} onChange={setDraft} kept={kept} models={models.data ?? []} />
        <Checkbox
          label="Expected answers as they are now"
          description="Otherwise those of the dataset version that the sweep uses"
          checked={takesNow}
          onChange={({ currentTarget }) => setTakesNow(currentTarget.checked)}
        />
        {check.isError && <p role="alert">{describeError(check.error)}</p>}
        {start.isError && <p role="alert">{describeError(start.error)}</p>}
        <div className="ts-row">
          <span className="ts-dimmed">{problem}</span>
          <Button type="submit" ml="auto" disabled={!mayStart} loading={start.isPending}>
            Score
          </Button>
        </div>
      </Stack>
    </form>
  );
}

interface ScoringProps extends Pick<RescoreDialogProps, "onScored"> {
  jobId: string;
}

function Scoring({ jobId, onScored }: ScoringProps) {
  const followed = useFollowedJob(jobId);
  const queries = useQueryClient();
  const result = followed.job?.state === "succeeded" ? followed.job.result : null;
  const scoringId = typeof result?.scoring_id === "string" ? result.scoring_id : null;
  const isWhole = result?.left === 0;
  useEffect(() => {
    if (scoringId === null) return;
    void queries.invalidateQueries({ queryKey: sweepKeys.all });
    onScored(scoringId, isWhole);
  }, [scoringId, isWhole, onScored, queries]);
  return (
    <FollowedJob
      followed={followed}
      what="scoring"
      note="It keeps running when you close this."
      cancelled="The scoring was stopped; what it had scored stays."
      result={({ state, message }) =>
        state === "succeeded" ? <p role="status">{visibleText(message)}</p> : null
      }
    />
  );
}
