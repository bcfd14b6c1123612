/** Connects an open editor to its tape's run, and reloads the tape when the run has finished. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";

import { applyToJob } from "@/api/jobFrames";
import { jobKeys, jobQuery } from "@/api/jobs";
import { openJobSocket } from "@/api/jobSocket";
import { callQuery, tapeKeys } from "@/api/tapes";
import type { Job } from "@/api/types";
import { useEditor, useEditorApi } from "@/features/tape-editor/editor";
import { isUnfinished, writingOfCall } from "@/features/tape-editor/live";

export function useLiveRun(tapeId: string, job: Job | null): void {
  const store = useEditorApi();
  const queries = useQueryClient();
  const jobId = useEditor(({ live }) => live.jobId);
  const missed = useEditor(({ live }) => live.missed);
  const isRunning = useEditor(({ live }) => isUnfinished(live.state));

  useEffect(() => {
    if (job === null) return;
    const { live, dispatch } = store.getState();
    // For the run that is watched, the log is newer than a response that was under way.
    if (live.jobId === job.id) return;
    const { id, state, message, cancelled_by: cancelledBy } = job;
    dispatch({ type: "run.watched", jobId: id, state, message, cancelledBy });
  }, [job, store]);

  useEffect(() => {
    if (jobId === null || !isRunning) return;
    const socket = openJobSocket({
      jobId,
      onMessage: (message) => {
        store.getState().dispatch({ type: "run.message", message, at: performance.now() });
        if (isUnfinished(store.getState().live.state)) {
          // What the run waits for was too large for a socket message.
          if (message.type === "job.state" && message.result === null && isRest(message.state))
            void queries.invalidateQueries({ queryKey: jobKeys.job(jobId) });
          return;
        }
        // The run has finished: reload the tape, its totals and the lists from the server.
        void queries.invalidateQueries({ queryKey: tapeKeys.tape(tapeId) });
        void queries.invalidateQueries({ queryKey: tapeKeys.lists });
        void queries.invalidateQueries({ queryKey: jobKeys.all });
      },
    });
    return () => socket.close();
  }, [jobId, isRunning, store, queries, tapeId]);

  useEffect(() => {
    if (missed > 0) void queries.invalidateQueries({ queryKey: tapeKeys.tape(tapeId) });
  }, [missed, queries, tapeId]);
  useCutOff(tapeId);
}

/** The job of the run that is watched: as it was loaded, updated with later log messages. */
export function useRunJob(): Job | null {
  const jobId = useEditor(({ live }) => live.jobId);
  const news = useEditor(({ live }) => live.news);
  const isRunning = useEditor(({ live }) => isUnfinished(live.state));
  const { data } = useQuery({
    ...jobQuery(jobId ?? ""),
    enabled: jobId !== null,
    // While the run continues, its log reports changes.
    ...(isRunning && { staleTime: Infinity }),
  });
  return useMemo(
    () => (jobId === null || data === undefined ? null : news.reduce<Job>(applyToJob, data)),
    [jobId, data, news],
  );
}

function isRest(state: Job["state"]): boolean {
  return state === "waiting" || state === "paused";
}

/** After a reload, the text of an interrupted call is read from its stored output. */
function useCutOff(tapeId: string): void {
  const { dispatch } = useEditorApi().getState();
  const job = useRunJob();
  const isOver = useEditor(({ live }) => live.state !== null && !isUnfinished(live.state));
  const isKnown = useEditor(({ live }) => live.cutShort !== null);
  const cutOff = isOver && !isKnown ? (job?.run?.cut_off ?? null) : null;
  const call = useQuery({
    ...callQuery(tapeId, cutOff?.call_id ?? ""),
    enabled: cutOff !== null,
  });
  useEffect(() => {
    if (cutOff === null || call.data === undefined) return;
    const { agent, node, call_id: callId } = cutOff;
    dispatch({ type: "run.cutOff", writing: writingOfCall(callId, agent, node, call.data.output) });
  }, [cutOff, call.data, dispatch]);
}
