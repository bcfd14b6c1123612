/** Scores a sweep with another scorer: nothing is run again. */
import { Button, Checkbox, Modal, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";

import { describeError } from "@/api/client";
import { scorersQuery } from "@/api/datasetVersions";
import { modelsQuery } from "@/api/models";
import { useScoreSweep } from "@/api/sweeps";
import { useFollowedJob } from "@/api/useFollowedJob";
import type { Sweep } from "@/api/types";
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
}

export function RescoreDialog({ sweep, isOpen, onClose }: RescoreDialogProps) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="Rescore" size={520}>
      <Scored sweep={sweep} />
    </Modal>
  );
}

function Scored({ sweep }: { sweep: Sweep }) {
  const [jobId, setJobId] = useState<string | null>(null);
  return jobId === null ? (
    <ScoreForm sweep={sweep} onStarted={setJobId} />
  ) : (
    <Scoring jobId={jobId} />
  );
}

function ScoreForm({ sweep, onStarted }: { sweep: Sweep; onStarted: (jobId: string) => void }) {
  const [draft, setDraft] = useState<ScorerDraft>({ ...NO_SCORER, kind: "answer" });
  const [takesNow, setTakesNow] = useState(false);
  const models = useQuery(modelsQuery());
  const kept = useQuery(scorersQuery(sweep.stands_on[0]?.dataset_id ?? null)).data ?? [];
  const start = useScoreSweep(sweep.job_id);
  const problem = findScorerProblem(draft);
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        const scoring = readScoring(draft, kept);
        if (problem !== "" || scoring === null) return;
        start.mutate(
          { ...scoring, expected: takesNow ? "now" : "frozen" },
          { onSuccess: ({ id }) => onStarted(id) },
        );
      }}
    >
      <Stack gap={12}>
        <p className="ts-hint">
          Runs that have ended are scored; none is run again. Earlier scores stay, and you can
          choose among them on the page.
        </p>
        <ScorerFields draft={draft} onChange={setDraft} kept={kept} models={models.data ?? []} />
        <Checkbox
          label="Expected answers as they are now"
          description="Otherwise those of the dataset version that the sweep uses"
          checked={takesNow}
          onChange={({ currentTarget }) => setTakesNow(currentTarget.checked)}
        />
        {start.isError && <p role="alert">{describeError(start.error)}</p>}
        <div className="ts-row">
          <span className="ts-dimmed">{problem}</span>
          <Button type="submit" ml="auto" disabled={problem !== ""} loading={start.isPending}>
            Score
          </Button>
        </div>
      </Stack>
    </form>
  );
}

function Scoring({ jobId }: { jobId: string }) {
  return (
    <FollowedJob
      followed={useFollowedJob(jobId)}
      what="scoring"
      note="It keeps running when you close this."
      cancelled="The scoring was stopped; what it had scored stays."
      result={({ state, message }) =>
        state === "succeeded" ? (
          <p role="status">{visibleText(message)} Choose it under “Decided by”.</p>
        ) : null
      }
    />
  );
}
