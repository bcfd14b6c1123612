/** What a person does in a queue besides answering: next, back, requeue. */
import { useMutation, useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useCallback, useState } from "react";

import { goBack, queueKeys, requeue } from "@/api/queues";
import { showFailure } from "@/api/showFailure";
import { tapeKeys } from "@/api/tapes";

export interface WorkActions {
  /** Take the next item; resolves when it has loaded. */
  onNext: () => Promise<void>;
  onBack: () => void;
  isGoingBack: boolean;
  onRequeue: () => void;
  /** Increases each time that an item is opened. */
  visit: number;
}

export function useWork(queueId: string): WorkActions {
  const queries = useQueryClient();
  const [visit, setVisit] = useState(0);
  const onNext = useCallback(async () => {
    await queries.refetchQueries({ queryKey: queueKeys.work(queueId) });
    forgetCounts(queries, queueId);
    setVisit((before) => before + 1);
  }, [queries, queueId]);
  const back = useMutation({
    mutationFn: () => goBack(queueId),
    onSuccess: (work) => {
      queries.setQueryData(queueKeys.work(queueId), work);
      forgetCounts(queries, queueId);
      setVisit((before) => before + 1);
    },
    onError: (error) => showFailure("Cannot go back", error),
  });
  const bringBack = useMutation({
    mutationFn: () => requeue(queueId, null),
    onSuccess: onNext,
    onError: (error) => showFailure("Nothing was restored", error),
  });
  const { mutate } = back;
  const onBack = useCallback(() => mutate(), [mutate]);
  return {
    onNext,
    onBack,
    isGoingBack: back.isPending,
    onRequeue: () => bringBack.mutate(),
    visit,
  };
}

/** Refetch what an answer changes: everything known of the queues except the current item. */
function forgetCounts(queries: QueryClient, queueId: string): void {
  const [, , work] = queueKeys.work(queueId);
  void queries.invalidateQueries({
    queryKey: queueKeys.all,
    predicate: ({ queryKey }) => queryKey[2] !== work,
  });
  // Answers are shown on the tapes too, and may set their outcome.
  void queries.invalidateQueries({
    queryKey: tapeKeys.all,
    predicate: ({ queryKey }) => queryKey[2] === "annotations" || queryKey.length === 2,
  });
  void queries.invalidateQueries({ queryKey: tapeKeys.lists });
}
