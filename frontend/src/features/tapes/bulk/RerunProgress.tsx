/** A rerun in progress: a bar and a cancel button, then the batch, compared with the old one. */
import { Button, Group, Progress, Stack } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "react-router";

import { ForWriters } from "@/api/ForWriters";
import { describeError } from "@/api/client";
import { cancelRerun, isActive, rerunQuery, undoRerun } from "@/api/reruns";
import type { Rerun } from "@/api/types";
import { UndoMade } from "@/features/tapes/bulk/UndoMade";
import { UnderRuns } from "@/features/tapes/UnderRuns";
import { countOf, formatExact, formatSpent } from "@/lib/format";
import { visibleText } from "@/lib/visibleText";
import { ErrorState, RowsSkeleton } from "@/ui/States";

export function RerunProgress({ rerunId }: { rerunId: string }) {
  const rerun = useQuery(rerunQuery(rerunId));
  if (rerun.data === undefined) {
    if (rerun.isPending) return <RowsSkeleton label="Loading the runs" rows={2} />;
    return (
      <ErrorState
        title="The runs could not be loaded"
        message={describeError(rerun.error)}
        onRetry={() => void rerun.refetch()}
      />
    );
  }
  return (
    <Stack gap={12} aria-live="polite">
      {rerun.isError && <p role="status">Connection lost; this may be out of date.</p>}
      {isActive(rerun.data) && <GoingOn rerun={rerun.data} />}
      <Outcome rerun={rerun.data} />
      {rerun.data.batch_id !== null && <Links rerun={rerun.data} batchId={rerun.data.batch_id} />}
    </Stack>
  );
}

function GoingOn({ rerun }: { rerun: Rerun }) {
  const queries = useQueryClient();
  const cancel = useMutation({
    mutationFn: () => cancelRerun(rerun.id),
    onSuccess: (now) => queries.setQueryData(rerunQuery(rerun.id).queryKey, now),
  });
  const { done_count: done, tape_count: total } = rerun;
  return (
    <>
      <Progress
        size={4}
        animated={total === 0}
        value={total === 0 ? 100 : (100 * done) / total}
        aria-label="Runs"
      />
      <Group justify="space-between">
        <span className="ts-number ts-dimmed">
          {total === 0 ? "Checking the tapes" : `${formatExact(done)} of ${formatExact(total)}`}
        </span>
        <ForWriters>
          <Button variant="default" loading={cancel.isPending} onClick={() => cancel.mutate()}>
            Cancel
          </Button>
        </ForWriters>
      </Group>
      {cancel.isError && <p role="alert">{describeError(cancel.error)}</p>}
      <p>
        You can leave this page; the runs continue. Canceling keeps the finished work.{" "}
        <UnderRuns jobId={rerun.id} />
      </p>
    </>
  );
}

const STATES = [
  ["succeeded", "finished"],
  ["waiting", "waiting for you"],
  ["paused", "paused"],
  ["failed", "failed"],
  ["cancelled", "stopped"],
  ["out_of_budget", "out of budget, not judged"],
] as const;

function Outcome({ rerun }: { rerun: Rerun }) {
  const { spent, state, batch_id: batchId, left_out: leftOut } = rerun;
  const states = STATES.filter(([name]) => rerun.states[name] > 0);
  return (
    <>
      {!isActive(rerun) && (
        <p role="status">
          {batchId === null
            ? noTapesBecause(rerun)
            : `${countOf(rerun.done_count, "run")} finished in the batch “${visibleText(rerun.batch_name)}”.`}
        </p>
      )}
      {state === "failed" && <p role="alert">{visibleText(rerun.message)}</p>}
      {rerun.stopped_reason !== "" && <p>{visibleText(rerun.stopped_reason)}</p>}
      {states.length > 0 && (
        <p>
          {states.map(([name, words]) => `${formatExact(rerun.states[name])} ${words}`).join(", ")}
          {`; ${formatSpent(spent.tokens, { ...rerun, cost_micro_usd: spent.micro_usd })}.`}
        </p>
      )}
      {leftOut.length > 0 && (
        <ul aria-label="Left out">
          {leftOut.map(({ why, tape_count: count }) => (
            <li key={why}>
              {countOf(count, "tape")} omitted: {visibleText(why)}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function noTapesBecause({ done_count: made, state }: Rerun): string {
  if (state === "paused") return "Paused before its tapes were created. Continue its sweep.";
  return made > 0 ? "Its tapes were removed." : "No tapes matched, so none were created.";
}

const MOST_SOURCES = 3;

/** Shown immediately: the finished tapes are already there. A finished rerun can be undone. */
function Links({ rerun, batchId }: { rerun: Rerun; batchId: string }) {
  const links = (
    <>
      <Button variant="default" component={Link} to={`/tapes?batch=${batchId}`}>
        Show the batch
      </Button>
      {rerun.sources.slice(0, MOST_SOURCES).map(({ id, name }) => (
        <Button
          key={id}
          component={Link}
          to={`/batches/compare?a=${id}&b=${batchId}&by=${rerun.pair_key}`}
        >
          Compare with “{visibleText(name)}”
        </Button>
      ))}
    </>
  );
  if (isActive(rerun)) return <Group gap={8}>{links}</Group>;
  const question = `Remove the tapes of “${visibleText(rerun.batch_name)}”? Their cost still counts as spent.`;
  return (
    <UndoMade undo={() => undoRerun(rerun.id)} question={question}>
      {links}
    </UndoMade>
  );
}
